import { type Chapter, STORY_NOW, type Tour, TourError } from './tour.ts'

interface Checked {
  readonly documents: readonly { readonly contract: string }[]
}

const ARTIFACTS =
  /^(mission-|prompt-package|research-|librarian-|worker-|aggregation-|review-|policy-|writeback-)/

/** The five families, with their folders and contracts. */
const FAMILIES: readonly (readonly [name: string, where: string, contracts: RegExp])[] = [
  ['mission', 'missions/', ARTIFACTS],
  ['agent handoff', 'missions/, agents/', /^(agent-handoff|prompt-manifest|prompt-lock)$/],
  ['session context', 'contexts/, ORCHESTRATION.yaml', /^(session-context|orchestration)$/],
  ['session state', 'SESSION_STATE.yaml', /^session-state$/],
  ['handoff document', 'docs/adr/', /^handoff-document$/],
]

/** Checks all documents and counts them by family. */
export const checkEverything: Chapter = {
  title: 'Check everything',
  async run(tour: Tour) {
    tour.say(
      'Nudge texts people before their appointments, and a reminder woke a patient at',
      '02:40. People and agents worked on quiet hours for four days, and each handoff',
      'between them was a document. This checks all of them, as',
      'of the day the story ends:',
    )
    const check = ['check', '--now', STORY_NOW]
    const shows = ['documents accepted (0 errors, 0 warnings)']
    const shown = tour.waybill(check, { exitCode: 0, shows })
    const [answer] = await Promise.all([tour.ask(check), shown])
    const { documents } = answer as Checked
    const lines = FAMILIES.map(([name, where, contracts]) => {
      const count = documents.filter(({ contract }) => contracts.test(contract)).length
      if (count === 0) throw new TourError(`the example has no document of the family ${name}`)
      return `  ${String(count).padStart(2)}  ${name.padEnd(16)}  ${where}`
    })
    tour.say('Five families of documents, and one piece of work:', '', ...lines)
  },
}
