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

/** Gathers what rules wanted: every fact once for each reason, with the rules that wait for it. */
export class Unanswered {
  readonly #wants = new Map<string, Want & { readonly rules: Set<string> }>()

  add(rule: string, wants: readonly Want[]): void {
    for (const { fact, why } of wants) {
      const key = `${fact} ${why.missing}`
      const known = this.#wants.get(key) ?? { fact, why, rules: new Set() }
      this.#wants.set(key, known)
      known.rules.add(rule)
    }
  }

  /** A missing prerequisite is a failure, not a skip: what is to be said of each. */
  findings(): Finding[] {
    return [...this.#wants.values()].map(
      ({ fact, why: { missing, hint = 'supply it' }, rules }) => ({
        path: [],
        message: `not checked: ${missing}`,
        hint: `${hint}; ${listed([...rules])} ${rules.size === 1 ? 'needs' : 'need'} the ${fact}`,
      }),
    )
  }
}
