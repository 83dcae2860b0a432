import { actionOf, SHARED, toolOf } from './shared-tools.ts'
import type { ToolEntry } from './tools.ts'

/** Rewrites a text of the command line in the words of tools. */
export type Words = (text: string) => string

/**
 * Makes the translation of what is written for the command line: inputs instead of flags, actions instead of commands,
 * content instead of standard input; and says what only a person can do.
 */
export function wordsOf(entries: readonly ToolEntry[]): Words {
  const operations = new Set(entries.map(({ operation }) => operation.name))
  const inputs = new Set(
    entries.flatMap(({ operation: { input } }) =>
      Object.keys(input.properties).filter(key => input.properties[key]?.actor !== 'human'),
    ),
  )
  const withCalls = (text: string) =>
    text.replace(/\bwaybill ([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g, (whole, words: string) => {
      const name = [words, words.split(' ')[0] ?? ''].find(one => operations.has(one))
      return name === undefined ? whole : `${callOf(name)}${words.slice(name.length)}`
    })
  return text => {
    if (!/waybill |--|standard input|exit/i.test(text)) return text
    const sentences = text.split(/(?<=\.) (?=\S)/)
    const kept = sentences.filter(sentence => !OF_A_PROCESS.test(sentence))
    // A hint of one sentence stays, whatever it is about.
    const plain = (kept.length > 0 ? kept : sentences).join(' ')
    let isForPerson = false
    const translated = withCalls(plain)
      .replace(/[,;]?(?: or)? `?-`? (?:reads|for) standard input/g, '')
      .replaceAll('standard input', 'content')
      .replace(/--([a-z][a-z-]*)/g, (_, name: string) => {
        const input = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
        if (OF_THE_SERVER.includes(name)) return `--${name}`
        isForPerson ||= !inputs.has(input)
        return inputs.has(input) ? input : name
      })
    return isForPerson
      ? `${translated.replace(/\.$/, '')}; a person does this in a terminal`
      : translated
  }
}

/** A sentence about exit codes, formats of output or terminals. */
const OF_A_PROCESS = /\bexits?\b|--format|--follow|Ctrl-C|on a terminal/i

/** Flags that the server is started with: a hint that names them is about that command. */
const OF_THE_SERVER = ['root', 'now']

/** The tool and action of an operation, in words. */
function callOf(operation: string): string {
  const tool = toolOf(operation)
  const isAlone = tool === operation && !Object.hasOwn(SHARED, tool)
  return isAlone ? tool : `${tool} (action ${actionOf(operation, tool)})`
}
