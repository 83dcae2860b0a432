import type { Finding } from './diagnostic.ts'
import type { Facts, Missing } from './rule.ts'
import { listed } from './wording.ts'

/** A missing fact, or part of one, that keeps a rule from deciding. */
export interface Want {
  readonly fact: string
  readonly why: Missing
}

/** The facts that a rule needs and lacks, with the reasons. */
export function wantsOf(facts: readonly string[], supplied: Facts): Want[] {
  return facts.map(fact => {
    const given = supplied[fact]
    const why = given && 'missing' in given ? given : { missing: `'${fact}' was not supplied` }
    return { fact, why }
  })
}

/** What a rule lacked that ran and could not decide. */
export function wantedBy({ message: missing, hint }: Finding, fact: string): Want {
  return { fact, why: hint === undefined ? { missing } : { missing, hint } }
}

interface Gathered {
  readonly first: Want['why']
  readonly reasons: Set<string>
  readonly rules: Set<string>
}

/** Collects missing facts: each once, with its reasons and the rules that need it. */
export class Unanswered {
  readonly #facts = new Map<string, Gathered>()

  add(rule: string, wants: readonly Want[]): void {
    for (const { fact, why } of wants) {
      const known = this.#facts.get(fact) ?? { first: why, reasons: new Set(), rules: new Set() }
      this.#facts.set(fact, known)
      known.reasons.add(why.missing)
      known.rules.add(rule)
    }
  }

  /** The findings: a missing prerequisite is an error, not a skip. */
  findings(): Finding[] {
    const found = new Map<string, { why: Want['why']; more: number; needs: string[] }>()
    for (const [fact, { first, reasons, rules }] of this.#facts) {
      // Facts missing for the same reason are reported once.
      const alike = JSON.stringify([first.hint, ...reasons])
      const known = found.get(alike) ?? { why: first, more: reasons.size - 1, needs: [] }
      found.set(alike, known)
      known.needs.push(`${listed([...rules])} ${rules.size === 1 ? 'needs' : 'need'} the ${fact}`)
    }
    return [...found.values()].map(({ why: { missing, hint = 'supply it' }, more, needs }) => ({
      path: [],
      message: `not checked: ${missing}${more > 0 ? `, and ${more} more` : ''}`,
      hint: `${hint}; ${needs.join(', ')}`,
    }))
  }
}
