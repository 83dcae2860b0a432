import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  hasPython,
  NEEDS,
  python,
  python3,
  root,
  run,
  runPython,
  without,
  works,
} from './python.ts'

const mypy = [['mypy'], [python3, '-m', 'mypy']].find(([command = '', ...args]) =>
  works(command, ...args, '--version'),
)
const BUILDS =
  'import sys; from importlib.util import find_spec; sys.exit(not all(map(find_spec, sys.argv[1:])))'
const canBuild = hasPython && works(python3, '-c', BUILDS, 'pip', 'setuptools', 'wheel')

describe.skipIf(!hasPython)(`the Python layer${NEEDS}`, () => {
  test('agrees with the product on every vector and fixture, as plain jsonschema does', () => {
    const { status, output } = runPython(['-m', 'unittest', 'discover', '-s', 'tests', '-t', '.'])
    expect(output.slice(-5000)).toMatch(/^Ran [1-9][0-9]* tests .*\n\nOK$/m)
    expect(status).toBe(0)
  })

  test.skipIf(!mypy)(
    `holds its types under mypy --strict${without('mypy', mypy !== undefined)}`,
    () => {
      const [command = '', ...args] = mypy ?? []
      const { status, output } = run(command, [...args, '--strict', '--cache-dir=/dev/null'])
      expect(output).toContain('Success: no issues found')
      expect(status).toBe(0)
    },
  )

  test('depends on jsonschema alone', () => {
    expect(readFileSync(join(python, 'pyproject.toml'), 'utf8')).toMatch(
      /^dependencies = \["jsonschema>=[0-9.]+"\]$/m,
    )
    const files = readdirSync(join(python, 'waybill_contracts')).filter(name =>
      name.endsWith('.py'),
    )
    const script = `import ast, sys
for name in sys.argv[1:]:
    for node in ast.walk(ast.parse(open(name).read())):
        if isinstance(node, ast.Import): print(*(alias.name for alias in node.names), sep="\\n")
        if isinstance(node, ast.ImportFrom) and not node.level: print(node.module)`
    const { output } = runPython(['-c', script, ...files], join(python, 'waybill_contracts'))
    const standard = runPython(['-c', 'import sys; print(*sys.stdlib_module_names)']).output.split(
      /\s/,
    )
    const packages = output
      .split('\n')
      .filter(Boolean)
      .map(name => name.split('.')[0] ?? '')
    expect([...new Set(packages.filter(name => !standard.includes(name)))]).toEqual(['jsonschema'])
  })

  test.skipIf(!canBuild)(
    `works when it is installed away from the repository${without('pip with setuptools and wheel', canBuild)}`,
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'waybill-python-'))
      try {
        // A build leaves files next to its sources, so it runs on a copy.
        for (const part of ['python', 'schemas']) {
          cpSync(join(root, part), join(folder, 'clone', part), {
            recursive: true,
            verbatimSymlinks: true,
          })
        }
        const target = join(folder, 'installed')
        const pip = [
          '-m',
          'pip',
          'install',
          '--quiet',
          '--no-index',
          '--disable-pip-version-check',
          '--no-deps',
          '--no-build-isolation',
        ]
        const installed = runPython(
          [...pip, '--target', target, join(folder, 'clone/python')],
          folder,
        )
        expect(installed.status, installed.output).toBe(0)
        rmSync(join(folder, 'clone'), { recursive: true })
        const file = join(folder, 'empty.json')
        writeFileSync(file, '{}')
        const command = `import sys; sys.path.insert(0, sys.argv.pop(1)); from waybill_contracts.__main__ import main; sys.exit(main(sys.argv[1:]))`
        const checked = runPython(
          ['-c', command, target, 'check', 'session-context.v1', file],
          folder,
        )
        expect(checked.status, checked.output).toBe(1)
        expect(checked.output).toContain('"schema/required"')
        expect(existsSync(join(target, 'waybill_contracts/py.typed'))).toBe(true)
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  )
})
