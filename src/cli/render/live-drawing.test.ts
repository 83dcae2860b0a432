import { describe, expect, test } from 'vitest'
import { Screen } from '../../../test/screen.ts'
import { LiveDrawing } from './live-drawing.ts'

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

test('a message in the meantime stands above the drawing, and is not drawn over', () => {
  const { screen, drawing } = open()
  expect(drawing.above('nothing is drawn')).toBeUndefined()
  screen.write(drawing.next(['one', 'two'], false))
  // A line end follows what is printed, as it follows a drawing.
  screen.write((drawing.above('a notice that is longer than a line') ?? '').replace(/\n$/, ''))
  screen.write(drawing.next(['one', 'three'], false))
  expect(screen.rows).toEqual(['a notice that is lon', 'ger than a line', 'one', 'three', ''])
  screen.write(drawing.next(['all'], true))
  expect(drawing.above('nothing is drawn any more')).toBeUndefined()
})
