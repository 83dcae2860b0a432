import { type Chapter, STORY_NOW, type Tour } from './tour.ts'

const HANDOFFS = 'docs/adr/ADR-0.3.0-quiet-hours/handoffs'

/** Shows the handoff that the next session reads first. */
export const readTheHandoff: Chapter = {
  title: 'Read what the last session left',
  async run(tour: Tour) {
    tour.say('The next session, or a person, sees the handoff like this:')
    const handoff = `${HANDOFFS}/2026-03-05T15-10-00Z-retry-queue.md`
    await tour.waybill(['show', handoff, '--now', STORY_NOW], {
      exitCode: 0,
      shows: ['The retry queue keeps quiet hours too', 'Immediate Next Steps', 'accepted'],
    })
  },
}
