import { describe, expect, test } from 'vitest'
import { widthOf } from './layout.ts'
import { LiveDrawing } from './live-drawing.ts'

/** What stands on a terminal after texts were written to it, each with a line end; it knows what drawings use. */
class Screen {
  readonly columns: number
  readonly rows: string[] = ['']
  #row = 0

  constructor(columns: number) {
    this.columns = columns
  }

  write(text: string): void {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals are told begins with one
    for (const part of `${text}\n`.split(/(\u001b\[[0-9]*[A-Za-z]|\r|\n)/)) {
      const [, up] = /^.\[([0-9]+)A$/.exec(part) ?? []
      if (up !== undefined) this.#row = Math.max(0, this.#row - Number(up))
      else if (part === '\u001b[J') this.rows.splice(this.#row, Infinity, '')
      else if (part === '\n') this.#down()
      else if (part !== '\r' && !part.startsWith('\u001b')) this.#put(part)
    }
  }

  #down(): void {
    this.#row += 1
    this.rows[this.#row] ??= ''
  }

  #put(text: string): void {
    for (const character of text) {
      if (widthOf(`${this.rows[this.#row]}${character}`) > this.columns) this.#down()
      this.rows[this.#row] += character
    }
  }
}

const size = { columns: 20, rows: 8 }
const open = (given = size) => ({
  screen: new Screen(given.columns),
  drawing: new LiveDrawing(() => given),
})

describe('of what is drawn over, only the last stands there', () => {
  test.each([
    ['short lines', ['one', 'two'], ['one', 'three'], ['one', 'three', '']],
    ['fewer lines', ['one', 'two', 'three'], ['four'], ['four', '']],
    ['long lines', ['x'.repeat(50)], ['y'.repeat(50)], ['y'.repeat(19), '']],
    ['wide letters', ['日'.repeat(30)], ['本'.repeat(30)], ['本'.repeat(9), '']],
    ['marks', [`\u001b[31m${'x'.repeat(50)}\u001b[0m`], ['\u001b[2my\u001b[0m'], ['y', '']],
  ])('%s', (_, first, second, stands) => {
    const { screen, drawing } = open()
    screen.write('before')
    screen.write(drawing.next(first, false))
    screen.write(drawing.next(second, false))
    expect(screen.rows).toEqual(['before', ...stands])
  })
})

test('a mark that was opened is closed where its line is cut', () => {
  const { drawing } = open()
  const drawn = drawing.next([`\u001b[31m${'x'.repeat(50)}\u001b[0m`], false)
  expect(drawn.endsWith('x\u001b[0m')).toBe(true)
})

test('more lines than fit are not drawn, but at the end all are, uncut', () => {
  const { screen, drawing } = open()
  const lines = Array.from({ length: 12 }, (_, i) => `line ${i}`)
  screen.write(drawing.next(lines, false))
  expect(screen.rows).toEqual([...lines.slice(0, drawing.room), ''])
  screen.write(drawing.next([...lines, 'z'.repeat(25)], true))
  expect(screen.rows).toEqual([...lines, 'z'.repeat(20), 'z'.repeat(5), ''])
})

test('what comes after the end stands below it', () => {
  const { screen, drawing } = open()
  screen.write(drawing.next(['one'], false))
  screen.write(drawing.next(['done'], true))
  screen.write(drawing.next(['other'], false))
  expect(screen.rows).toEqual(['done', 'other', ''])
})

test('lines that a narrower terminal has broken are drawn over as a whole', () => {
  const now = { columns: 20, rows: 20 }
  const drawing = new LiveDrawing(() => now)
  drawing.next(['x'.repeat(19), 'short'], false)
  now.columns = 10
  expect(drawing.next(['y'], false)).toBe('\r\u001b[3A\u001b[Jy')
})
