import { type Chapter, type Tour, TourError } from './tour.ts'

const LATER = '2026-03-05T16:30:00Z'
const MUCH_LATER = '2026-03-06T09:00:00Z'

/** A rule survives the next handoffs, and a decision is superseded. */
export const keepRules: Chapter = {
  title: 'Keep the rules',
  async run(tour: Tour) {
    tour.say('It hands over in one command, with a rule and a decision:')
    await tour.waybill(
      [
        'handoff',
        ...['--agent', 'next-agent', '--state', 'The reviewed queue is ready.'],
        ...['--rule', 'Ask outsideQuietHours before every send. `scope: src/**`'],
        ...['--decision', 'Waiting messages stay in memory, as few wait at night.'],
        ...['--next', 'Restart it under load', '--next', 'Count what is lost', '--next', 'Ship it'],
        ...['--verify', 'true', '--evidence', 'src/quiet-hours.ts', '--now', LATER],
      ],
      { exitCode: 0, shows: ['in force: 1 rule'] },
    )
    tour.say('The next author supersedes the decision, and says nothing of the rule:')
    await tour.waybill(
      [
        'handoff',
        ...['--agent', 'third-agent', '--state', 'A restart lost four messages.'],
        ...['--decision', 'Waiting messages are stored (supersedes D-001: a restart loses them).'],
        ...['--next', 'Store them', '--next', 'Restart again', '--next', 'Ship it'],
        ...['--verify', 'true', '--evidence', 'src/quiet-hours.ts', '--now', MUCH_LATER, '-q'],
      ],
      { exitCode: 0 },
    )
    tour.say('The rule is still the first line of the brief, and the old decision is not in it:')
    const brief = await tour.waybill(['brief', '--budget', '800', '--now', MUCH_LATER], {
      exitCode: 0,
      shows: ['R-001: Ask outsideQuietHours before every send.', 'In force: 1 rule'],
    })
    if (brief.includes('stay in memory'))
      throw new TourError('a superseded decision is in the brief')
    tour.say('The chain says what was superseded, where and why:')
    await tour.waybill(['chain', '--now', MUCH_LATER], {
      exitCode: 0,
      shows: ['Superseded', 'D-001', 'a restart loses them'],
    })
  },
}
