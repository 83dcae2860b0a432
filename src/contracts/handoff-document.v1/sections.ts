/** A section that every handoff document has, and what the next session finds there. */
interface RequiredSection {
  readonly title: string
  readonly purpose: string
}

/** Where the next actions stand, three to five of them. */
export const NEXT_STEPS = 'Immediate Next Steps'

/** Where the commands and checks stand that show whether the document is true. */
export const CHECKLIST = 'Verification Checklist'

/** Where it stands what was put off or is blocked. */
export const OPEN_LOOPS = 'Pending Work / Open Loops'

/** Where the paths stand of what the session brought forth. */
export const EVIDENCE = 'Evidence / Artifacts'

/** The sections that a handoff document must have, in the order in which they are best written. */
export const REQUIRED_SECTIONS: readonly RequiredSection[] = [
  {
    title: 'Current State Summary',
    purpose: 'what is done, which phase the work is in, and whether the last action succeeded',
  },
  {
    title: 'Important Context',
    purpose: 'what the next session cannot guess: constraints, traps, where the configuration is',
  },
  {
    title: 'Decisions Made',
    purpose: 'each decision with its reason and the alternatives that were rejected',
  },
  { title: NEXT_STEPS, purpose: 'three to five concrete actions in their order' },
  {
    title: OPEN_LOOPS,
    purpose: 'what was put off or is blocked and still has to be done',
  },
  {
    title: CHECKLIST,
    purpose: 'the commands and checks that show whether this document is true',
  },
  { title: EVIDENCE, purpose: 'the files that the session produced, each with a description' },
]
