import { answer, type Fact, type Question, readAssignment } from './assignment.ts'
import { at, type Library, openLibrary, workerResult } from './library.ts'
import { shareOf, wordsOf } from './words.ts'

/** One test: its title and what it does. */
interface Case {
  readonly ref: string
  readonly text: string
}

/** A test is of a case if it is about at least so many of its words. */
const ENOUGH = 2 / 3

const library = openLibrary(await readAssignment())
const tests = await testsIn(library)
const facts = await coverage(library)
const questions = [...(await requirements(library)), ...(await risks(library))]
answer(workerResult(textOf(), { facts, questions }, library))

async function testsIn({ list, read }: Library): Promise<Case[]> {
  const cases: Case[] = []
  for (const path of await list('tests')) {
    const lines = await read(path)
    const starts = lines.flatMap((line, i) => (line.startsWith('test(') ? [i] : []))
    for (const [n, start] of starts.entries())
      cases.push({
        ref: at(path, start + 1),
        text: lines.slice(start, starts[n + 1] ?? lines.length).join('\n'),
      })
  }
  return cases
}

function testsOf(text: string): Case[] {
  const words = wordsOf(text)
  return tests.filter(test => shareOf(words, test.text) >= ENOUGH)
}

/** How many cases a requirement has: as the plan of verification names them, and as there are tests of them. */
async function coverage({ search }: Library): Promise<Fact[]> {
  const rows = await search(['| REQ-'], 'docs/verification')
  return rows.flatMap(({ path, line, text }) => {
    const [, id = '', cases = '', file = ''] = text.split('|').map(cell => cell.trim())
    const named = cases.split(';').filter(Boolean)
    const covered = named.filter(one =>
      testsOf(one).some(({ ref }) => file.includes(ref.split('#')[0] ?? '')),
    )
    const subject = `cases of ${id}`
    return [
      { subject, value: String(named.length), ref: at(path, line), quote: cases },
      { subject, value: String(covered.length), ref: file.replaceAll('`', '') },
    ]
  })
}

async function requirements({ search }: Library): Promise<Question[]> {
  const rows = await search(['| REQ-'], 'docs/requirements')
  return rows.map(({ text }) => {
    const [, id = '', promise = ''] = text.split('|').map(cell => cell.trim())
    const its = facts.filter(({ subject, value }) => subject === `cases of ${id}` && value !== '0')
    return {
      question: `What shows that ${id} is kept: ${promise}`,
      answered_by: its.map(({ ref }) => ref),
    }
  })
}

async function risks({ search, read }: Library): Promise<Question[]> {
  const paths = [...new Set((await search(['RISK-'], 'docs/requirements')).map(hit => hit.path))]
  const texts = await Promise.all(paths.map(read))
  return texts.flatMap(lines =>
    [...lines.join(' ').matchAll(/(RISK-[A-Z]+-\d+), ([^;.]+)/g)].map(([, id, risk = '']) => ({
      question: `What is tested against ${id}, ${risk}?`,
      answered_by: testsOf(risk).map(({ ref }) => ref),
    })),
  )
}

function textOf(): string {
  const kept = questions.filter(({ answered_by }) => answered_by.length > 0).length
  return `${kept} of ${questions.length} requirements and risks are tested, by ${tests.length} tests.`
}
