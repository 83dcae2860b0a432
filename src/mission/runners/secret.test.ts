import { expect, test } from 'vitest'
import { secretIn } from './secret.ts'

const found = (KEY?: string) => secretIn('KEY', { KEY })

test('a secret goes without the end of the line that it was read from', () => {
  expect(found('of-no-user\n')).toEqual({ secret: 'of-no-user' })
  expect(found(' of no user\r\n')).toEqual({ secret: 'of no user' })
})

test.each(['of-\nnobody', 'of-n\u00f6body', 'of-\0nobody'])(
  'what no header carries is refused by the name of its variable: %j',
  text => {
    const why =
      'needs the variable KEY, which contains a control character or a non-ASCII character'
    expect(found(text)).toEqual({ why })
  },
)

test.each([undefined, '', '\n'])('a variable with nothing in it is empty: %j', text => {
  expect(found(text)).toEqual({ why: 'needs the variable KEY, which is empty' })
})
