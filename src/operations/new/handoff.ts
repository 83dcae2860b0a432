import type { Fields } from '../../contract/index.ts'
import { handoffFileNameOf, SUMMARY } from '../../contracts/index.ts'
import { bodyOf, type CarryAnswer, type HandoffContent, handoffText } from '../../session/index.ts'
import { loadConfig, openFiles } from '../../workspace/index.ts'
import { readSiblings } from '../check/sibling.ts'
import type { App } from '../operation.ts'
import { askWhatBecame, carryInto } from './carrying.ts'
import { frameOf, type HandoffWish } from './frame.ts'
import { heldBy, stateIn } from './in-force.ts'
import { faultsInSection } from './judge.ts'
import type { Made } from './made.ts'
import { askForSections, withMissingSections } from './sections.ts'
import { earlierAnswers, keepAnswer } from './typed-answers.ts'

/** Builds a handoff document: frontmatter, path, and sections with the open items of its predecessor. */
export async function makeHandoff(
  given: HandoffContent,
  answers: readonly CarryAnswer[],
  wish: HandoffWish,
  app: App,
): Promise<Made> {
  const { headings } = await loadConfig(app.root)
  const frame = await frameOf(given, wish, app)
  const ask = wish.draft ? undefined : app.ask
  const { predecessor } = frame
  // The frontmatter tells the sections of a note from those of a handoff document.
  const framed = { ...given, frontmatter: frame.frontmatter }
  const said = ask
    ? await askWhatBecame(framed, predecessor, answers, app.root, ask, headings)
    : answers
  const asked = ask ? await askFor(framed, frame.path, ask, app) : framed
  const carrying = await carryInto(asked, predecessor, said, app.root, headings)
  const titled = withTitle(await withState(carrying.content, app), frame.path)
  const stated = stateIn({ ...titled, frontmatter: frame.frontmatter }, frame.before, {
    ...wish,
    headings,
  })
  const { content, missing } = await withMissingSections(stated.content, wish.draft)
  const text = handoffText(content)
  return {
    path: frame.path,
    isFixed: wish.path !== undefined,
    text,
    known: [...frame.known],
    missing: [...missing, ...carrying.lost, ...stated.problems],
    isBlocked: carrying.lost.length + stated.problems.length > 0,
    predecessor: predecessor ?? null,
    carried: carrying.carried,
    notes: [...frame.notes],
    ...heldBy(text, { ...frame, headings }),
  }
}

/** Asks for what is missing; each answer is checked at once and kept until the handoff is written. */
async function askFor(
  content: HandoffContent,
  path: string,
  ask: NonNullable<App['ask']>,
  app: App,
): Promise<HandoffContent> {
  return askForSections(content, {
    ask,
    files: openFiles(app.root),
    faults: (so, title) => faultsInSection(so, title, path, app),
    keep: (title, body) => keepAnswer(title, body, app),
    earlier: await earlierAnswers(app),
  })
}

/** Adds a title when the content has none. */
function withTitle(content: HandoffContent, path: string): HandoffContent {
  if (content.preamble || content.sections.some(s => s.level === 1)) return content
  const name = handoffFileNameOf(path).replace(/(?:\.draft)?\.[a-z]+$/i, '')
  const words = name
    .replace(/^[0-9TZ-]*Z-?/, '')
    .replaceAll('-', ' ')
    .trim()
  const title = words && words !== 'handoff' ? `Handoff: ${words}` : 'Handoff'
  return { ...content, sections: [{ title, level: 1, body: '' }, ...content.sections] }
}

const STATE_FILE = 'SESSION_STATE.yaml'

/** Adds the phase of SESSION_STATE.yaml to the summary when that file exists. */
async function withState(content: HandoffContent, { root }: App): Promise<HandoffContent> {
  const summary = bodyOf(content.sections, SUMMARY)
  if (summary === '' || openFiles(root).kindOf(STATE_FILE) !== 'file') return content
  const { siblings } = await readSiblings(root, STATE_FILE, {
    wants: name => name === 'session-state',
  })
  const { Phase, Next } = (siblings[0]?.value ?? {}) as Fields
  if (Phase === undefined || summary.includes(`\`${STATE_FILE}\``)) return content
  const next = typeof Next === 'string' && Next !== '' ? `, next is ${inline(Next)}` : ''
  const line = `By \`${STATE_FILE}\` the session is in phase ${inline(String(Phase))}${next}.`
  return {
    ...content,
    sections: content.sections.map(s =>
      s.level === 2 && s.title === SUMMARY ? { ...s, body: `${s.body}\n\n${line}` } : s,
    ),
  }
}

function inline(text: string): string {
  return `\`${text.replace(/[`\s]+/g, ' ').trim()}\``
}
