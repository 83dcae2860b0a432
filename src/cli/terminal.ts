import type { Style } from './parse.ts'

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, cyan: 36 } as const

/** Marks up text with colours, or leaves it plain. */
export function style(color: boolean): Style {
  return (kind, text) => (color ? `\x1b[${CODES[kind]}m${text}\x1b[0m` : text)
}

/** Shows on standard error how far long work has come; silent unless that is a terminal. */
export function progressBar(quiet: boolean) {
  let shown = false
  let last = 0
  return {
    show: (done: number, total: number) => {
      const now = performance.now()
      if (quiet || total < 200 || now - last < 80) return
      // Not before it is needed: opening a stream takes time.
      const stream = process.stderr
      if (!stream.isTTY) return
      last = now
      shown = true
      const width = 24
      const filled = Math.round((done / total) * width)
      stream.write(`\r${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${done}/${total} files`)
    },
    clear: () => {
      if (shown) process.stderr.write('\r\x1b[K')
    },
  }
}
