/** A required section of a handoff document, and what it is for. */
interface RequiredSection {
  readonly title: string
  readonly purpose: string
}

/** The section with the next three to five actions. */
export const NEXT_STEPS = 'Immediate Next Steps'

/** The section with the commands and checks that verify the document. */
export const CHECKLIST = 'Verification Checklist'

/** The section for postponed or blocked work. */
export const OPEN_LOOPS = 'Pending Work / Open Loops'

/** The section with the paths of the session's results. */
export const EVIDENCE = 'Evidence / Artifacts'

/** The section with what is done and whether it works. */
export const SUMMARY = 'Current State Summary'

/** The section with what the next session cannot guess. */
export const CONTEXT = 'Important Context'

/** The sub-section of the context with the rules that hold until they are superseded. */
export const STANDING_RULES = 'Standing Rules'

/** The section with the decisions. */
export const DECISIONS = 'Decisions Made'

/** The required sections in their recommended order. */
export const REQUIRED_SECTIONS: readonly RequiredSection[] = [
  {
    title: SUMMARY,
    purpose: 'what is done, the current phase, and whether the last action succeeded',
  },
  {
    title: CONTEXT,
    purpose:
      'what the next session cannot guess: constraints, pitfalls, where the configuration is',
  },
  {
    title: DECISIONS,
    purpose: 'each decision with its reason and the alternatives that were rejected',
  },
  { title: NEXT_STEPS, purpose: 'three to five concrete actions in order' },
  {
    title: OPEN_LOOPS,
    purpose: 'postponed or blocked work that still has to be done',
  },
  {
    title: CHECKLIST,
    purpose: 'the commands and checks that verify this document',
  },
  { title: EVIDENCE, purpose: 'the files that the session produced, each with a description' },
]
