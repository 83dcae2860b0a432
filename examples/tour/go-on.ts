import { type Chapter, STORY_NOW, type Tour } from './tour.ts'

/** The next session resumes, checks its gates and advances. */
export const goOn: Chapter = {
  title: 'Continue where the last session ended',
  async run(tour: Tour) {
    const now = ['--now', STORY_NOW]
    tour.say(
      'The next session resumes. Waybill checks the document, follows its chain, looks for',
      'its files, and then prints the brief.',
    )
    const who = ['--as', 'next-agent', '--session', 'quiet-hours-code-3']
    await tour.waybill(['resume', ...who, ...now], {
      exitCode: 0,
      shows: ['1 document before it', ': **One rule, two callers.**', 'ends ---'],
    })
    tour.say('May it write code now? A hook can ask before every edit; the answer names the rule:')
    await tour.waybill(['state', 'next', '--may-write-code', ...now], {
      exitCode: 0,
      shows: ['yes', 'session-state/code-needs-gates'],
    })
    tour.say(
      'It tries to advance to the last gate and is refused: the required artifact is not stated.',
    )
    await tour.waybill(['state', 'advance', ...now], {
      exitCode: 1,
      shows: ['session-state/gate-has-artifacts', 'nothing written'],
    })
    tour.say('So it states the artifact and advances; comments and order of the file are kept:')
    const report = ['--artifact', 'ImplementationReview=present']
    await tour.waybill(['state', 'gate', '6', 'pending', ...report, ...now], {
      exitCode: 0,
      shows: ['GateArtifacts.P6-ImplementationQA'],
    })
    await tour.waybill(['state', 'advance', ...now], { exitCode: 0, shows: ['phase 6'] })
    tour.say('The chain of handoffs in the whole repository:')
    await tour.waybill(['chain', ...now], { exitCode: 0, shows: ['every link holds'] })
  },
}
