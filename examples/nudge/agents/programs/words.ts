/** Words that say nothing about what a text is about. */
const EMPTY = new Set(
  'about after again also and any anything are before between does each every find for from have here into left made must name none not only other says should such than that the their them then there these they this those was were what when where which who whom whose why will with word write'.split(
    ' ',
  ),
)

/** What a text is about: its words in their order, each once, without endings that change with the grammar. */
export function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z]{3,}/g) ?? []
  return [...new Set(words.filter(word => !EMPTY.has(word)).map(stemOf))]
}

function stemOf(word: string): string {
  return word.length > 4 ? word.replace(/s$/, '') : word
}

/** How many of the words a text is about, from 0 to 1. */
export function shareOf(words: readonly string[], text: string): number {
  const others = new Set(wordsOf(text))
  return words.filter(word => others.has(word)).length / Math.max(1, words.length)
}

/** A number of things, in words. */
export function counted(count: number, one: string): string {
  return `${count.toLocaleString('en-GB')} ${one}${count === 1 ? '' : 's'}`
}
