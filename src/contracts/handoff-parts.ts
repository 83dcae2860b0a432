/** What a section of a handoff is about. */
export type HandoffPart =
  | 'state'
  | 'next'
  | 'open'
  | 'decisions'
  | 'rules'
  | 'context'
  | 'evidence'
  | 'checklist'

/** Headings of a repository's own and the common names that they stand for, from `waybill.yaml`. */
export type HouseHeadings = Readonly<Record<string, string>>

/** The usual heading of each part. */
export const USUAL_HEADINGS: Readonly<Record<HandoffPart, string>> = {
  state: 'Status',
  next: 'Next Steps',
  open: 'Open Items',
  decisions: 'Decisions',
  rules: 'Standing Rules',
  context: 'Context',
  evidence: 'Evidence',
  checklist: 'Verification',
}

/** Parts that every note needs: one of each, its usual heading, and what belongs there. */
export const REQUIRED_PARTS: readonly {
  readonly parts: readonly HandoffPart[]
  readonly title: string
  readonly purpose: string
}[] = [
  { parts: ['state'], title: USUAL_HEADINGS.state, purpose: 'what is done, and whether it works' },
  { parts: ['next'], title: USUAL_HEADINGS.next, purpose: "the next actions in order, or 'None'" },
  {
    parts: ['decisions', 'rules'],
    title: USUAL_HEADINGS.decisions,
    purpose: 'what was decided or must be observed, and why',
  },
]

/** Common headings by part, as `plain` spells them. */
const NAMES: Readonly<Record<HandoffPart, string>> = {
  state:
    'state, status, current state, current status, summary, current state summary, session summary, state summary, ' +
    'status summary, executive summary, what was done, what i did, what we did, whats done, what is done, done, ' +
    'completed, completed work, work completed, work done, progress, overview, where we are, where things stand, tldr, ' +
    'tl dr, accomplished, accomplishments, project status, project state, recap',
  next:
    'next, next step, next steps, immediate next steps, next action, next actions, next tasks, next up, next session, ' +
    'whats next, what is next, what to do next, todo, todos, to do, to dos, to do list, todo list, action items, ' +
    'remaining, remaining work, remaining tasks, remaining steps, upcoming, upcoming work',
  open:
    'blockers, blocker, blocked, open questions, questions, known issues, issues, open issues, known problems, ' +
    'known bugs, problems, open loops, open items, open threads, loose ends, pending, pending work, pending tasks, ' +
    'pending work open loops, unresolved, unresolved issues, unresolved questions, outstanding, outstanding issues, ' +
    'outstanding work, risks, blockers and risks, blockers and open questions, deferred, deferred work',
  decisions:
    'decisions, decision, decisions made, key decisions, key decisions made, important decisions, design decisions, ' +
    'technical decisions, architecture decisions, architectural decisions, decision log, decisions and rationale, ' +
    'decided, what was decided, what we decided',
  rules:
    'rules, standing rules, constraints, ground rules, hard rules, house rules, project rules, working rules, ' +
    'hard constraints, key constraints, rules and constraints, constraints and rules, guardrails, non negotiables, ' +
    'invariants, do not, dont, never',
  context:
    'context, important context, key context, critical context, project context, session context, background, notes, ' +
    'important notes, gotchas, pitfalls, caveats, lessons learned, learnings, what i learned, what we learned, ' +
    'insights, key insights, key insight, findings, key findings, facts, things to know, good to know, assumptions',
  evidence:
    'evidence, artifacts, artefacts, evidence artifacts, evidence and artifacts, files, key files, files changed, ' +
    'changed files, files modified, modified files, files touched, files created, relevant files, important files, ' +
    'references, code references, file references, deliverables',
  checklist:
    'verification checklist, verification, verification steps, how to verify, verify, checklist, checks',
}

const PARTS = Object.keys(NAMES) as HandoffPart[]

const PART_BY_NAME: ReadonlyMap<string, HandoffPart> = new Map(
  PARTS.flatMap(part => NAMES[part].split(', ').map(name => [name, part] as const)),
)

/** Words that suggest a part in a heading that is no common name; the first match counts. */
const SUGGESTIONS: readonly (readonly [HandoffPart, RegExp])[] = [
  ['next', /\bnext\b|\bto ?dos?\b|\baction items\b|\bremaining\b|\bfollow ?ups?\b|\bupcoming\b/],
  ['decisions', /\bdecisions?\b|\bdecided\b/],
  ['rules', /\brules?\b|\bconstraints?\b|\bdo not\b|\bmust not\b|\bguardrails?\b/],
  [
    'open',
    /\bblock(?:ers?|ed)\b|\bopen\b|\bquestions?\b|\bissues?\b|\bunresolved\b|\bpending\b|\boutstanding\b/,
  ],
  [
    'state',
    /\bstatus\b|\bstate\b|\bsummary\b|\bdone\b|\bcompleted\b|\bprogress\b|\baccomplish\w+|\bfinished\b/,
  ],
  [
    'context',
    /\bcontext\b|\bbackground\b|\binsights?\b|\blessons?\b|\blearn\w+|\bnotes?\b|\bgotchas?\b|\bfindings?\b/,
  ],
  ['evidence', /\bfiles\b|\bevidence\b|\bartifacts?\b/],
  ['checklist', /\bverif\w+|\bchecklist\b/],
]

/** Longer headings name no part. */
const LONGEST = 100

/** A title as compared: case, punctuation, emphasis, a leading number and symbols do not matter. */
function plainTitle(title: string): string {
  if (title.length > LONGEST) return ''
  return title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/&(?:amp;)?/g, ' and ')
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^[0-9]+ (?=\p{L})/u, '')
}

/** The part that a heading names by a common name or by one of the repository's own. */
export function partOf(title: string, house?: HouseHeadings): HandoffPart | undefined {
  return PART_BY_NAME.get(plainTitle(commonTitle(title, house)))
}

/** The common name that a heading of the repository's own stands for; other titles as they are. */
export function commonTitle(title: string, house?: HouseHeadings): string {
  return (house && namesIn(house).get(plainTitle(title))) ?? title
}

const namesByHouse = new WeakMap<HouseHeadings, ReadonlyMap<string, string>>()

function namesIn(house: HouseHeadings): ReadonlyMap<string, string> {
  const known = namesByHouse.get(house)
  if (known) return known
  const names = new Map(Object.entries(house).map(([own, common]) => [plainTitle(own), common]))
  names.delete('')
  namesByHouse.set(house, names)
  return names
}

/** The part that the words of a heading suggest. */
export function partNear(title: string): HandoffPart | undefined {
  const plain = plainTitle(title)
  return SUGGESTIONS.find(([, words]) => words.test(plain))?.[0]
}
