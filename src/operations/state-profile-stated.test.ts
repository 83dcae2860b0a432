import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { faultsWhenPasted, STATE } from '../../test/pasted.ts'
import { openTestFolder, type TestFolder } from '../../test/test-folder.ts'
import { formatYaml, type Json } from '../document/index.ts'
import profile from './state-profile.ts'

let folder: TestFolder
beforeEach(() => {
  folder = openTestFolder()
})
afterEach(() => folder.remove())

type Input = Parameters<typeof profile.run>[0]
const run = (input: Input = {}) => profile.run(input, folder.app())
const write = (files: Readonly<Record<string, string>>) => {
  for (const [path, content] of Object.entries(files)) folder.write(path, content)
}
const writeState = (more: Readonly<Record<string, Json>> = {}) =>
  folder.write('SESSION_STATE.yaml', formatYaml({ ...STATE, ...more }))

const TWO = {
  'apps/web/package.json': '{"dependencies": {"react": "1"}}',
  'services/orders/pom.xml': '<project/>',
  'services/orders/src/Orders.java': '',
  'services/jobs/src/jobs.py': '',
}

describe('the choice of a person', () => {
  test('stands against the files, and sends a session back that worked under another profile', async () => {
    write({ 'pom.xml': '' })
    writeState()
    const output = await run({ profile: 'frontend-react' })
    expect([output.profile, output.source, output.conflictPoints]).toEqual([
      'frontend-react',
      'user-explicit',
      0,
    ])
    expect(output.agreement?.agrees).toBe(false)
    expect(output.agreement?.about).toContain('go back to phase 1')
    expect(profile.failed?.(output)).toBe(true)
  })

  test('stands where a state keeps it', async () => {
    write(TWO)
    writeState({ ProfileSource: 'user-explicit' })
    const output = await run()
    expect([output.profile, output.source, output.mode]).toEqual([
      'backend-java',
      'user-explicit',
      null,
    ])
    expect(output.agreement?.agrees).toBe(true)
  })

  test('that a state gives a strange name is shown as a name, and nothing more', async () => {
    writeState({ ProfileSource: 'user-explicit', ActiveProfile: 'a\u001b[2J\nMode: NORMAL' })
    const output = await run()
    expect(output.profile).not.toMatch(/\p{Cc}/u)
    expect(output.yaml.split('\n').filter(line => line.startsWith('Mode'))).toEqual([])
  })

  test('is asked of people only, and is a name', async () => {
    expect(profile.input.properties.profile.actor).toBe('human')
    await expect(run({ profile: 'a\nMode: NORMAL' })).rejects.toMatchObject({ code: 'usage' })
  })
})

describe('next to a state', () => {
  test('files that speak for another profile are reported', async () => {
    write({ 'go.mod': '' })
    writeState()
    const output = await run()
    expect(output.agreement).toMatchObject({ stated: 'backend-java', agrees: false })
    expect(profile.failed?.(output)).toBe(true)
  })

  test('before discovery is complete the profile stays deferred', async () => {
    write(TWO)
    const early = {
      ...STATE,
      Phase: '2',
      Next: 'Phase2.1-DecisionPack',
      ActiveProfile: '',
      ProfileSource: 'deferred',
    }
    writeState(early)
    const output = await run()
    expect([output.source, output.mode]).toEqual(['ambiguous', null])
    expect(await faultsWhenPasted(folder, output.yaml, early)).toEqual([])
  })

  test('that is wrapped the block is wrapped too', async () => {
    write({ 'pom.xml': '' })
    folder.write('SESSION_STATE.yaml', formatYaml({ SESSION_STATE: STATE }))
    expect((await run()).yaml).toMatch(/^SESSION_STATE:\n {2}ActiveProfile: backend-java\n/)
  })

  test('that is at fault nothing is said; one that is named has to be there', async () => {
    folder.write('SESSION_STATE.yaml', 'Phase: 99\n')
    await expect(run()).rejects.toMatchObject({ code: 'usage' })
    await expect(run({ file: 'other.yaml' })).rejects.toMatchObject({ code: 'not-found' })
  })
})
