import type { Finding } from './diagnostic.ts'
import type { Facts, Missing } from './rule.ts'
import { listed } from './wording.ts'

/** A fact, or a part of one, for want of which a rule did not decide. */
export interface Want {
  readonly fact: string
  readonly why: Missing
}

/** The facts that a rule could not do without, and why each is missing. */
export function wantsOf(facts: readonly string[], supplied: Facts): Want[] {
  return facts.map(fact => {
    const given = supplied[fact]
    const why =
      given && 'missing' in given ? given : { missing: `nothing was supplied for '${fact}'` }
    return { fact, why }
  })
}

/** What a rule wanted that ran and could not decide. */
export function wantedBy({ message: missing, hint }: Finding, fact: string): Want {
  return { fact, why: hint === undefined ? { missing } : { missing, hint } }
}

interface Gathered {
  readonly first: Want['why']
  readonly reasons: Set<string>
  readonly rules: Set<string>
}

/** Gathers what rules wanted: every fact once, with its reasons and the rules that wait for it. */
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

  /** A missing prerequisite is a failure, not a skip: what is to be said of each. */
  findings(): Finding[] {
    const found = new Map<string, { why: Want['why']; more: number; needs: string[] }>()
    for (const [fact, { first, reasons, rules }] of this.#facts) {
      // Facts that are missing for one reason are one thing to mend.
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
