import { expect, test } from 'vitest'
import { openStateFolder } from '../../test/state-folder.ts'
import init from './state-init.ts'

test('a new session starts with what the repository shows, and reaches its plan without an edit', async () => {
  const state = openStateFolder()
  try {
    state.write('package.json', '{ "dependencies": { "express": "5.1.0" } }\n')
    state.write('AGENTS.md', '# Rules\n')
    const { found } = await init.run({}, state.app())
    expect(found).toMatchObject({ profile: 'backend-node', core: 'AGENTS.md', decides: null })
    expect(state.read()).toContain('ProfileSource: deferred')
    for (const to of ['2', '2.1', '1.2', '1.3', '4'])
      expect(await state.move({ to }), to).toMatchObject({ accepted: true })
    expect(state.read()).toContain('ProfileSource: auto-detected-single')
  } finally {
    state.remove()
  }
})

test('a profile that the user chose when the session began is the choice of the user after discovery', async () => {
  const state = openStateFolder()
  try {
    state.write('package.json', '{ "dependencies": { "express": "5.1.0" } }\n')
    await init.run({ profile: 'backend-java' }, state.app())
    for (const to of ['2', '2.1', '1.2'])
      expect(await state.move({ to }), to).toMatchObject({ accepted: true })
    expect(state.read()).toContain('ActiveProfile: backend-java')
    expect(state.read()).toContain('ProfileSource: user-explicit')
    expect(state.read()).toContain('ProfileEvidence: chosen by the user')
  } finally {
    state.remove()
  }
})
