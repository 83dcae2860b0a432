import { type Chapter, STORY_NOW, type Tour } from './tour.ts'

const HANDOFFS = 'docs/adr/ADR-0.3.0-quiet-hours/handoffs'

/** What the next session reads first. */
export const readTheHandoff: Chapter = {
  title: 'Read what the last session left',
  async run(tour: Tour) {
    tour.say('This is what the next session, or a person, gets to see of the handoff:')
    const handoff = `${HANDOFFS}/2026-03-05T15-10-00Z-retry-queue.md`
    await tour.waybill(['show', handoff, '--now', STORY_NOW], {
      exitCode: 0,
      shows: ['The retry queue keeps quiet hours too', 'Immediate Next Steps', 'accepted'],
    })
  },
}
