import type { Span } from '../../document/index.ts'

/** Something that a scanner takes for a credential, and what kind of one. */
export interface Suspicion {
  readonly kind: string
  readonly span: Span
}

/** A second scanner beside ours. */
export type Scanner = (text: string) => Promise<readonly Suspicion[]>

let loading: Promise<Scanner | undefined> | undefined

/** The second scanner, where it is installed; loaded once. */
export function loadSecondScanner(): Promise<Scanner | undefined> {
  loading ??= openSecondScanner()
  return loading
}

async function openSecondScanner(): Promise<Scanner | undefined> {
  try {
    const [{ lintSource }, { rules: all }, { secretLintProfiler }] = await Promise.all([
      import('@secretlint/core'),
      import('@secretlint/secretlint-rule-preset-recommend'),
      import('@secretlint/profiler'),
    ])
    // Left on, it keeps a mark of every call for as long as the process lives.
    secretLintProfiler.setEnabled(false)
    const scanners = withoutComments(all)
    const rules = scanners.map(rule => ({ id: rule.meta.id, rule }))
    const isSuspicious = firstLook(scanners)
    return async text => {
      if (!isSuspicious(text)) return []
      const { messages } = await lintSource({
        source: { ...AS_FILE, content: text },
        options: { config: { rules }, noPhysicFilePath: true },
      })
      return messages.map(({ ruleId, range: [start, end] }) => ({
        kind: ruleId.replace(/^.*secretlint-rule-/, '').replaceAll('-', ' '),
        span: { start, end },
      }))
    }
  } catch (error) {
    // An optional part: ours reads every text, with it or without.
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/** What every text is read as. */
const AS_FILE = { filePath: 'handoff.json', ext: '.json', contentType: 'text' } as const

type Rules = typeof import('@secretlint/secretlint-rule-preset-recommend').rules
type Rule = Rules[number]
type RuleContext = Parameters<Rule['create']>[0]
type Source = Parameters<NonNullable<ReturnType<Rule['create']>['file']>>[0]

/** Whoever sends a text must not switch the scanner off by a comment in it. */
function withoutComments(rules: Rules): Rules {
  return rules.filter(({ meta }) => !meta.id.endsWith('filter-comments'))
}

/**
 * Tells whether any rule reports anything of a text at all. The scanner makes all its rules anew for each text, which
 * takes longer than what they do, and hardly any text holds anything.
 *
 * What cannot be told this way is suspicious: the scanner itself has the last word on that.
 */
function firstLook(rules: Rules): (text: string) => boolean {
  let reported = false
  const context = {
    sharedOptions: {},
    createTranslator: () => () => ({ message: '', messageId: '' }),
    report: () => {
      reported = true
    },
    ignore: () => undefined,
  } as unknown as RuleContext
  const looks = rules.map(rule => rule.create(context, {}).file)
  const finishes = (look: (typeof looks)[number], source: Source) => look?.(source) === undefined
  return text => {
    // The scanner takes a byte order mark away.
    if (text.startsWith('\ufeff')) return true
    reported = false
    try {
      const source = { ...AS_FILE, content: text } as Source
      return !looks.every(look => finishes(look, source)) || reported
    } catch {
      return true
    }
  }
}
