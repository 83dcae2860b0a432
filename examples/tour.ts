import { styleText } from 'node:util'
import { breakAndMend } from './tour/break-and-mend.ts'
import { checkEverything } from './tour/check-everything.ts'
import { startedIn } from './tour/environment.ts'
import { goOn } from './tour/go-on.ts'
import { handOverSigned } from './tour/hand-over-signed.ts'
import { keepRules } from './tour/keep-rules.ts'
import { readTheHandoff } from './tour/read-the-handoff.ts'
import { runAMission } from './tour/run-a-mission.ts'
import { type Chapter, TourError, takeTour } from './tour/tour.ts'
import { passOnToWaybill } from './tour/waybill.ts'

/** The chapters of the tour. */
const CHAPTERS: readonly Chapter[] = [
  checkEverything,
  breakAndMend,
  readTheHandoff,
  goOn,
  keepRules,
  handOverSigned,
  runAMission,
]

const HEAD = `${styleText('bold', 'Waybill')}: contract-first handoffs for AI agents and sessions.
The tour runs the real commands on a copy of examples/nudge. In this clone,
waybill is bin/waybill.
`

const FOOT = `
${styleText('bold', 'Your turn')}
  npm start -- <path>    check documents of your own
  bin/waybill --help     all verbs
`

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  throw error
})

const given = process.argv.slice(2)
if (given.length > 0) process.exitCode = await passOnToWaybill(['check', ...given], startedIn())
else await tell()

async function tell(): Promise<void> {
  process.stdout.write(HEAD)
  try {
    await takeTour(CHAPTERS)
    process.stdout.write(FOOT)
  } catch (error) {
    if (!(error instanceof TourError)) throw error
    process.stderr.write(`\nThe tour did not run as expected: ${error.message}.\n`)
    process.exitCode = 1
  }
}
