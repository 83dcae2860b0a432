import { type Chapter, STORY_NOW, type Tour } from './tour.ts'

/** The next session: it resumes, asks its gates, and moves on. */
export const goOn: Chapter = {
  title: 'Go on where the last session ended',
  async run(tour: Tour) {
    const now = ['--now', STORY_NOW]
    tour.say(
      'The next session resumes. Nothing is taken on trust: the document is checked, its',
      'chain followed, its files looked for, and only then comes the brief.',
    )
    const who = ['--as', 'next-agent', '--session', 'quiet-hours-code-3']
    await tour.waybill(['resume', ...who, ...now], {
      exitCode: 0,
      shows: ['1 document before it', '| - **One rule, two callers.**', 'ends ---'],
    })
    tour.say(
      'May it write code now? A hook can ask before every edit; the rule that decides is named:',
    )
    await tour.waybill(['state', 'next', '--may-write-code', ...now], {
      exitCode: 0,
      shows: ['yes', 'session-state/code-needs-gates'],
    })
    tour.say(
      'It wants to go on to the last gate, and is refused: nobody said what the gate requires.',
    )
    await tour.waybill(['state', 'advance', ...now], {
      exitCode: 1,
      shows: ['session-state/gate-has-artifacts', 'nothing was written'],
    })
    tour.say('So it says so, and goes on; the comments and the order of the file stay as they are:')
    const report = ['--artifact', 'ImplementationReview=present']
    await tour.waybill(['state', 'gate', '6', 'pending', ...report, ...now], {
      exitCode: 0,
      shows: ['GateArtifacts.P6-ImplementationQA'],
    })
    await tour.waybill(['state', 'advance', ...now], { exitCode: 0, shows: ['phase 6'] })
    tour.say('What carries on what, over the whole repository:')
    await tour.waybill(['chain', ...now], { exitCode: 0, shows: ['every link holds'] })
  },
}
