import { answer, type Fact, type Question, readAssignment } from './assignment.ts'
import { at, type Hit, type Library, openLibrary, workerResult } from './library.ts'

/** The one function that everything that sends has to ask. */
const ASKED = 'outsideQuietHours'
const WINDOWS = [
  /start: '(\d\d:\d\d)', end: '(\d\d:\d\d)'/,
  /(\d\d:\d\d) to (\d\d:\d\d)/,
  /between (\d\d:\d\d) and (\d\d:\d\d)/,
]

const library = openLibrary(await readAssignment())
const facts = await windows(library)
const questions = await Promise.all((await senders(library)).map(asks))
answer(workerResult(textOf(), { facts, questions }, library))

/** Every place that says from when until when it is quiet. */
async function windows({ search }: Library): Promise<Fact[]> {
  const lines = [await search(["start: '"], 'src'), await search(['to 0', 'and 0'], 'docs')]
  return lines.flat().flatMap(hit => windowIn(hit))
}

function windowIn({ path, line, text }: Hit): Fact[] {
  for (const pattern of WINDOWS) {
    const [quote, start, end] = pattern.exec(text) ?? []
    if (quote)
      return [{ subject: 'quiet hours', value: `${start} to ${end}`, ref: at(path, line), quote }]
  }
  return []
}

/** Who sends at night, as the table of the analysis has it. */
async function senders({ search }: Library): Promise<string[]> {
  const rows = await search(['|'], 'docs/analysis')
  return rows.flatMap(({ text }) => /^\| ([a-z ]+) \| \d+ \|/.exec(text)?.[1] ?? [])
}

async function asks(sender: string): Promise<Question> {
  const file = `src/${sender.replaceAll(' ', '-')}.ts`
  const calls = await library.search([`${ASKED}(`], 'src')
  return {
    question: `Where does the ${sender} ask ${ASKED} when it may send?`,
    answered_by: calls.flatMap(({ path, line }) => (path === file ? [at(path, line)] : [])),
  }
}

function textOf(): string {
  const values = [...new Set(facts.map(({ value }) => value))].join(' or ')
  const kept = questions.filter(({ answered_by }) => answered_by.length > 0).length
  return `It is quiet from ${values}, as ${facts.length} places say; ${kept} of ${questions.length} senders ask for it in the code.`
}
