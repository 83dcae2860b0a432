import {
  canonicalId,
  type Ending,
  type PlacedStatement,
  type StatementKind,
  withoutId,
} from '../contracts/index.ts'

/** One document of a lineage with its statements. */
export interface StatedDocument {
  /** Relative to the root. */
  readonly path: string
  readonly timestamp?: string
  /** Who wrote it. */
  readonly agent?: string
  /** A person verified these bytes. */
  readonly verified: boolean
  /** It is on another line of a fork: only its rules hold. */
  readonly isElsewhere: boolean
  readonly statements: readonly PlacedStatement[]
}

/** Where a statement stands. */
export interface StatementPlace {
  readonly path: string
  readonly timestamp?: string
  /** One-based. */
  readonly line: number
}

/** A rule, decision or fact that holds. */
export interface StatementInForce {
  readonly id: string
  /** The id is written in the document, not made from the text. */
  readonly numbered: boolean
  readonly kind: StatementKind
  readonly text: string
  /** The text as compared. */
  readonly key: string
  readonly scope?: string
  readonly heading?: string
  /** As it is copied into a successor. */
  readonly source: string
  /** The first document that states it. */
  readonly since: StatementPlace
  readonly by?: string
  readonly verified: boolean
}

/** A statement that no longer holds. */
export interface EndedStatement {
  readonly statement: StatementInForce
  /** The person who ended it, if one is named. */
  readonly by?: string
  readonly why?: string
  /** Where it was ended. */
  readonly at: StatementPlace
}

/** Something in a lineage that needs a person: two statements that contradict, or an ending without effect. */
export interface StatementConflict {
  readonly id: string
  readonly why:
    | 'worded differently'
    | 'worded differently in a fork'
    | 'superseded twice'
    | 'ended by no person'
  /** The first one holds; in a fork both do. */
  readonly places: readonly StatementPlace[]
}

/** What a lineage holds. */
export interface InForce {
  /** Rules, then decisions, then facts; each oldest first. */
  readonly items: readonly StatementInForce[]
  readonly ended: readonly EndedStatement[]
  readonly conflicts: readonly StatementConflict[]
}

const KINDS: readonly StatementKind[] = ['rule', 'decision', 'fact']

/**
 * Computes what is in force after the given documents, oldest first.
 *
 * A statement holds from the first document that makes it until a later one ends it by its id; leaving it out ends
 * nothing. The same words or the same id are the same statement, and its first words hold; but a rule of another line
 * with the same id and other words holds too. A rule ends only if the document names a person.
 *
 * @param whole of other lines, decisions and facts hold too
 */
export function inForce(documents: readonly StatedDocument[], whole = false): InForce {
  const lineage = new Statements()
  const numbered = [...documents.entries()]
  for (const [order, document] of numbered) if (!document.isElsewhere) lineage.read(document, order)
  // Last, so that no other line takes the place of the words of this one.
  for (const [order, document] of numbered)
    if (document.isElsewhere) lineage.readElsewhere(document, order, whole)
  lineage.endElsewhere()
  return lineage.result()
}

interface Known {
  statement: StatementInForce
  /** The position of the document that `since` names. */
  order: number
  /** Only other lines of a fork state it. */
  readonly isElsewhere: boolean
  ended?: EndedStatement
}

class Statements {
  private readonly all: Known[] = []
  private readonly byId = new Map<string, Known>()
  private readonly byText = new Map<string, Known>()
  private readonly conflicts: StatementConflict[] = []
  /** Endings of what no document of this line had stated. */
  private readonly open: { readonly ending: Ending; readonly at: StatementPlace }[] = []

  read(document: StatedDocument, order: number): void {
    for (const statement of document.statements) this.add(statement, document, order)
    // Ending comes second: a document may replace what it also repeats.
    for (const statement of document.statements) this.end(statement, document)
  }

  readElsewhere(document: StatedDocument, order: number, whole: boolean): void {
    for (const statement of document.statements)
      if (whole || statement.kind === 'rule') this.addElsewhere(statement, document, order)
    if (!whole) return
    for (const statement of document.statements)
      this.end(statement, document, ({ isElsewhere }) => isElsewhere)
  }

  /** Adds a statement of another line; of two with one id, this one holds under an id made from its text. */
  private addElsewhere(stated: PlacedStatement, document: StatedDocument, order: number): void {
    const sameId = this.byId.get(canonicalId(stated.id))
    const sameText = this.byText.get(stated.key)
    const isSame = sameId?.statement.key === stated.key
    const known = isSame ? sameId : sameText?.ended ? undefined : sameText
    if (known) {
      if (order < known.order) this.begin(known, stated, document, order)
      if (!sameId) this.byId.set(canonicalId(stated.id), known)
    } else if (sameId) {
      const { statement } = sameId
      const places = [statement.since, placeOf(stated, document)]
      this.note(statement, 'worded differently in a fork', places)
      this.make({ ...stated, ...withoutId(stated) }, document, order)
    } else this.make(stated, document, order)
  }

  /** Ends what only other lines state. */
  endElsewhere(): void {
    for (const { ending, at } of this.open) {
      const known = this.byId.get(ending.id)
      if (known?.isElsewhere && !known.ended) this.endOne(known, ending, at)
    }
  }

  result(): InForce {
    const standing = this.all
      .filter(({ ended }) => !ended)
      .sort((a, b) => a.order - b.order || a.statement.since.line - b.statement.since.line)
      .map(({ statement }) => statement)
    return {
      items: KINDS.flatMap(kind => standing.filter(statement => statement.kind === kind)),
      ended: this.all.flatMap(({ ended }) => ended ?? []),
      conflicts: this.conflicts,
    }
  }

  /** An earlier document states it too. */
  private begin(
    known: Known,
    stated: PlacedStatement,
    document: StatedDocument,
    order: number,
  ): void {
    const { agent: by, verified } = document
    const since = placeOf(stated, document)
    const { by: _, ...statement } = known.statement
    known.statement = { ...statement, since, verified, ...(by !== undefined && { by }) }
    known.order = order
  }

  private add(stated: PlacedStatement, document: StatedDocument, order: number): void {
    const known = this.find(stated) ?? this.make(stated, document, order)
    const { statement } = known
    if (statement.key !== stated.key) {
      const places = [statement.since, placeOf(stated, document)]
      this.note(statement, 'worded differently', places)
    } else if (stated.numbered && !statement.numbered) {
      // A successor numbers what its predecessor stated without an id.
      const source = `${stated.id}: ${statement.source}`
      known.statement = { ...statement, id: canonicalId(stated.id), numbered: true, source }
      this.byId.set(known.statement.id, known)
    }
  }

  private find(stated: PlacedStatement): Known | undefined {
    const byId = this.byId.get(canonicalId(stated.id))
    if (byId) return byId
    const byText = this.byText.get(stated.key)
    // Words that return under another number are a new statement.
    return byText && stated.numbered && byText.statement.numbered ? undefined : byText
  }

  private make(stated: PlacedStatement, document: StatedDocument, order: number): Known {
    const { kind, numbered, text, key, scope, heading, source } = stated
    const { agent: by, verified, isElsewhere } = document
    const id = canonicalId(stated.id)
    const since = placeOf(stated, document)
    const known: Known = {
      ...{ order, isElsewhere },
      statement: {
        ...{ id, numbered, kind, text, key, source, since, verified },
        ...(scope !== undefined && { scope }),
        ...(heading !== undefined && { heading }),
        ...(by !== undefined && { by }),
      },
    }
    this.all.push(known)
    this.byId.set(id, known)
    this.byText.set(stated.key, known)
    return known
  }

  private end(
    stated: PlacedStatement,
    document: StatedDocument,
    mayEnd: (known: Known) => boolean = () => true,
  ): void {
    if (stated.ends.length === 0) return
    const own = this.find(stated)
    const at = placeOf(stated, document)
    for (const ending of stated.ends) {
      const known = this.byId.get(ending.id)
      if (!known) this.open.push({ ending, at })
      if (!known || !own || known === own || !mayEnd(known)) continue
      const { ended, statement } = known
      if (!ended) this.endOne(known, ending, at)
      else if (!isSamePlace(ended.at, own.statement.since))
        this.note(statement, 'superseded twice', [ended.at, at])
    }
  }

  private endOne(known: Known, { by, why }: Ending, at: StatementPlace): void {
    const { statement } = known
    if (statement.kind === 'rule' && by === undefined) {
      this.note(statement, 'ended by no person', [statement.since, at])
      return
    }
    known.ended = {
      ...{ statement, at },
      ...(by !== undefined && { by }),
      ...(why !== undefined && { why }),
    }
  }

  private note(
    { id }: StatementInForce,
    why: StatementConflict['why'],
    places: readonly StatementPlace[],
  ): void {
    const isKnown = this.conflicts.some(
      known => known.id === id && known.why === why && known.places.length === places.length,
    )
    // A successor that repeats a contradiction adds nothing.
    if (!isKnown) this.conflicts.push({ id, why, places })
  }
}

function isSamePlace(a: StatementPlace, b: StatementPlace): boolean {
  return a.path === b.path && a.line === b.line
}

function placeOf({ line }: PlacedStatement, { path, timestamp }: StatedDocument): StatementPlace {
  return { path, ...(timestamp !== undefined && { timestamp }), line }
}
