import { expect, test } from 'vitest'
import { faultInArguments } from './arguments.ts'

const SCHEMA = {
  type: 'object',
  properties: {
    action: { enum: ['next', 'advance'], description: 'What to do.' },
    paths: { type: 'array', items: { type: 'string' }, description: 'Files.' },
    changed: { type: ['string', 'boolean'], description: 'Since when.' },
    budget: { type: 'integer', description: 'How much.' },
  },
  required: ['action'],
  additionalProperties: false,
}

test.each<[string, unknown, string | RegExp]>([
  ['no object', [], 'the arguments are not an object'],
  ['a missing choice', {}, 'action is missing; use one of next or advance'],
  ['another choice', { action: 'go' }, "action cannot be 'go'; use one of next or advance"],
  [
    'a slip of the pen',
    { action: 'next', path: 'a' },
    "there is no input 'path'; did you mean paths?",
  ],
  ['a name of every object', { action: 'next', toString: 'a' }, /^there is no input 'toString'/],
  ['a text for a list', { action: 'next', paths: 'a' }, 'paths must be a list of strings'],
  ['a list of numbers', { action: 'next', paths: [1] }, 'paths must be a list of strings'],
  [
    'neither of two types',
    { action: 'next', changed: 1 },
    'changed must be a string or true or false',
  ],
  ['a fraction', { action: 'next', budget: 1.5 }, 'budget must be a whole number'],
  [
    'nothing in place of a value',
    { action: 'next', budget: null },
    'budget must be a whole number',
  ],
  ['two at once', { action: 'go', budget: 'x' }, /^action cannot.*; budget must/],
])('%s is told in words that help', (_, given, expected) => {
  if (typeof expected === 'string') expect(faultInArguments(SCHEMA, given)).toBe(expected)
  else expect(faultInArguments(SCHEMA, given)).toMatch(expected)
})

test('what fits is let through', () => {
  const given = { action: 'next', paths: ['a'], changed: true, budget: 3 }
  expect(faultInArguments(SCHEMA, given)).toBeUndefined()
})
