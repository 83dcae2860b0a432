import { answer, type Fact, inputsOf, readAssignment } from './assignment.ts'
import { at, type Library, openLibrary, workerResult } from './library.ts'
import { counted } from './words.ts'

/** Reminders that were delivered in one hour to recipients of one zone. */
interface Delivered {
  readonly path: string
  readonly sender: string
  readonly count: number
  readonly atNight: boolean
  /** Whether the clinic's clock said that it was day. */
  readonly atDayForClinic: boolean
}

const FIRST_QUIET_HOUR = 21
const FIRST_LOUD_HOUR = 8
/** Any day will do for the hour of another zone: no clock changes in January and February. */
const SOME_DAY = '2026-01-15'

const assignment = await readAssignment()
const library = openLibrary(assignment)
const rows = await readLog(library)
const paths = [...new Set(rows.map(({ path }) => path))]
const night = rows.filter(({ atNight }) => atNight)
const senders = [...new Set(night.map(({ sender }) => sender))].sort()
const stated = await statedIn(documents(), library)
answer(
  workerResult(
    textOf(),
    {
      facts: [...countedFacts(), ...stated],
      questions: [
        {
          question: 'How many reminders arrive at night, by the clock of the recipient?',
          answered_by: paths,
        },
        ...senders.map(sender => ({
          question: `Why does the ${sender} send at night?`,
          answered_by: stated.flatMap(({ subject, ref }) =>
            subject === nightBy(sender) ? [ref] : [],
          ),
        })),
      ],
    },
    library,
  ),
)

async function readLog({ list, read }: Library): Promise<Delivered[]> {
  const rows: Delivered[] = []
  for (const path of await list('logs')) {
    const [, ...lines] = await read(path)
    for (const line of lines.filter(Boolean)) rows.push(rowOf(path, line))
  }
  return rows
}

function rowOf(path: string, line: string): Delivered {
  const [clinic = '', recipient = '', hour = '', sender = '', count = ''] = line.split(',')
  const [atNight, atNightForClinic] = [recipient, clinic].map(zone => isNight(hour, zone))
  return {
    path,
    sender,
    count: Number(count),
    atNight: atNight === true,
    atDayForClinic: atNightForClinic === false,
  }
}

function isNight(hourUtc: string, zone: string): boolean {
  const time = new Date(`${SOME_DAY}T${hourUtc.padStart(2, '0')}:00:00Z`)
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    hourCycle: 'h23',
  })
  const hour = Number(clock.format(time))
  return hour >= FIRST_QUIET_HOUR || hour < FIRST_LOUD_HOUR
}

function sum(some: readonly Delivered[]): number {
  return some.reduce((total, { count }) => total + count, 0)
}

function nightBy(sender: string): string {
  return `reminders at night from the ${sender}`
}

function countedFacts(): Fact[] {
  const totals: [string, number][] = [
    ['reminders delivered', sum(rows)],
    ['reminders at night', sum(night)],
    ...senders.map((sender): [string, number] => [
      nightBy(sender),
      sum(night.filter(row => row.sender === sender)),
    ]),
  ]
  return totals.flatMap(([subject, total]) =>
    paths.map(ref => ({ subject, value: String(total), ref })),
  )
}

/** The documents that the search has found, as far as the pass goes. */
function documents(): string[] {
  const urls = inputsOf(assignment, 'research_artifact').flatMap(({ results }) =>
    results.map(({ url }) => new URL(url).pathname.replace('/blob/main/', '')),
  )
  return [...new Set(urls)].filter(path => path.startsWith('docs/')).sort()
}

/** What documents say about the same numbers. */
async function statedIn(some: readonly string[], { read }: Library): Promise<Fact[]> {
  const facts: Fact[] = []
  for (const path of some) {
    const lines = await read(path)
    for (const [i, line] of lines.entries())
      facts.push(...[...numbersIn(line)].map(fact => ({ ...fact, ref: at(path, i + 1) })))
  }
  return facts
}

function* numbersIn(line: string): Iterable<Omit<Fact, 'ref'>> {
  const found = [
    ['reminders delivered', /([\d,]+) reminders delivered/],
    ['reminders delivered', /[\d,]+ of ([\d,]+) reminders/],
    ['reminders at night', /reminders delivered, ([\d,]+) of/],
    ['reminders at night', /([\d,]+) of [\d,]+ reminders/],
  ] as const
  for (const [subject, pattern] of found) {
    const [quote, number] = pattern.exec(line) ?? []
    if (quote && number) yield { subject, value: number.replaceAll(',', ''), quote }
  }
  const [quote, sender, count] = /^\| ([a-z ]+) \| ([\d,]+) \|/.exec(line) ?? []
  if (quote && sender && count)
    yield { subject: nightBy(sender), value: count.replaceAll(',', ''), quote }
}

function textOf(): string {
  const parts = senders.map(sender => {
    const its = night.filter(row => row.sender === sender)
    const day = sum(its.filter(({ atDayForClinic }) => atDayForClinic))
    const why = day > 0 ? `, ${day} of them by day for the clinic` : ''
    return `${sum(its)} from the ${sender}${why}`
  })
  return `Of ${counted(sum(rows), 'reminder')}, ${sum(night)} arrived at night by the recipient's clock: ${parts.join('; ')}.`
}
