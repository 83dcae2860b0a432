import type { Diagnostic } from '../../contract/index.ts'
import { type Document, findSecrets, type Span } from '../../document/index.ts'
import { finding } from './finding.ts'
import { loadSecondScanner } from './second-scanner.ts'

const HINT =
  'take it out and replace it where it is in use: whoever has this text has the credential'

/** What was found, and by which scanners the text was read. */
export interface SecretScan {
  readonly diagnostics: readonly Diagnostic[]
  readonly scanners: readonly string[]
}

/**
 * Looks for credentials in what is to be recorded, with our scanner and, where it is installed, a second one.
 *
 * A text is read as it stands, and once more with its escapes read: the parsed values, a line each.
 */
export async function scanForSecrets(document: Document, value: unknown): Promise<SecretScan> {
  const second = await loadSecondScanner()
  const texts = [document.text, ...(isPlain(document) ? [] : plainTexts(value))]
  const found: { kind: string; span: Span | undefined }[] = []
  for (const [index, text] of texts.entries()) {
    const spans = [...findSecrets(text), ...(second ? await second(text) : [])]
    for (const { kind, span } of spans) found.push({ kind, span: index === 0 ? span : undefined })
  }
  const diagnostics = merged(found).map(({ kind, span }) =>
    finding(
      'gateway/secret',
      `this looks like a credential (${kind})`,
      HINT,
      span && { range: document.range(span) },
    ),
  )
  return { diagnostics, scanners: ['waybill', ...(second ? ['secretlint'] : [])] }
}

/** Whether everything is written as it is meant: JSON without escapes. */
function isPlain({ format, text }: Document): boolean {
  return format === 'json' && !text.includes('\\')
}

/** Whether either scanner takes something in a text for a credential. */
export async function holdsSecret(text: string): Promise<boolean> {
  if (findSecrets(text).length > 0) return true
  const second = await loadSecondScanner()
  return second !== undefined && (await second(text)).length > 0
}

/** The keys and strings of a value, a line each, so that nothing hides behind escapes. */
function plainTexts(value: unknown): string[] {
  const lines: string[] = []
  JSON.stringify(value, (key, child) => {
    // A label and its value are a credential only together.
    lines.push(typeof child === 'string' ? `${key}: ${child}` : key)
    return child
  })
  return [lines.join('\n')]
}

/** One finding for what stands at one place; what was found nowhere in the text counts only if nothing else was. */
function merged(
  found: readonly { kind: string; span: Span | undefined }[],
): { kind: string; span: Span | undefined }[] {
  const placed = found.filter(({ span }) => span !== undefined)
  const kept: typeof placed = []
  for (const one of placed.sort((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0))) {
    const last = kept.at(-1)
    if (!last || (one.span?.start ?? 0) >= (last.span?.end ?? 0)) kept.push(one)
  }
  return kept.length > 0 ? kept : found.slice(0, 1)
}
