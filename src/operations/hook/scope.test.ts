import { describe, expect, test } from 'vitest'
import { readShell } from '../../hooks/index.ts'
import { matchesCommand, pathScope } from './scope.ts'

describe('the files that a shell line writes', () => {
  test.each([
    ['echo a > out.txt', ['out.txt']],
    ['echo a >>logs/out.txt 2>&1', ['logs/out.txt']],
    ['make &> build.log', ['build.log']],
    ['cat < in.txt > /dev/null', []],
    ['cat <<EOF > a.sh\necho > b.sh\nEOF', ['a.sh']],
    ['git diff | tee -a a.diff b.diff', ['a.diff', 'b.diff']],
    ["sed -i 's/a/b/' a.ts b.ts", ['a.ts', 'b.ts']],
    ["sed -i -e 's/a/b/' a.ts", ['a.ts']],
    ["sed 's/a/b/' a.ts", []],
    ['cd src && rm -rf vendor', ['src/vendor']],
    ['git -C packages/a checkout HEAD -- b.ts', ['packages/a/b.ts']],
    ['git mv a.ts b.ts', ['a.ts', 'b.ts']],
    ['dd if=/dev/zero of=disk.img', ['disk.img']],
    ['cp a.ts b.ts', ['b.ts']],
    ["bash -c 'echo > a.ts'", ['a.ts']],
    ['(echo a > "with blank.txt")', ['with blank.txt']],
    ['if true; then touch a.ts; fi', ['a.ts']],
    ['cat $(touch a.ts)', ['a.ts']],
    ['ls -la', []],
    ['cd /srv/app && touch a.ts', ['/srv/app/a.ts']],
    ['git -C /srv/app rm a.ts', ['/srv/app/a.ts']],
    ['(cd vendor); touch a.ts', ['a.ts']],
    ['pushd vendor; touch a.ts', ['vendor/a.ts']],
    ['cd; touch a.ts', ['/home/ada/a.ts']],
    ['echo a > ~/.bashrc', ['/home/ada/.bashrc']],
    ['echo a > "$HOME/a" 2> $PWD/b', ['/home/ada/a', 'b']],
    ['git checkout HEAD~1 a.ts', ['a.ts']],
    ['git checkout -b topic main', []],
    ["apply_patch <<'EOF'\n*** Update File: vendor/a.js\nEOF", ['vendor/a.js']],
  ])('%s', (line, writes) => {
    expect(readShell(line, '/home/ada').writes).toEqual(writes)
  })
})

describe('a command is found', () => {
  test.each([
    ['git push', 'git push*', true],
    ['git push --force origin main', 'git push*', true],
    ['cd x && FOO=1 git -c a=b -C y push', 'git push*', true],
    ['sudo -u ada git push', 'git push*', true],
    ["sh -c 'cd x; git push'", 'git push*', true],
    ['sh <<END\ngit push\nEND', 'git push*', true],
    ['true || $(git push)', 'git push*', true],
    ['/usr/bin/git push', 'git push*', true],
    ['eval "git push"', 'git push*', true],
    ['git push origin main -f', 'git push -f', true],
    ['git push origin main', 'git push -f', false],
    ['git status; echo push', 'git push*', false],
    ['echo "git push"', 'git push*', false],
    ['npm publish --tag next', 'npm publish', true],
    ['npm run publish', 'npm publish', false],
    ['terraform apply -auto-approve', 'terraform apply', true],
    ['\\git push', 'git push*', true],
    ['timeout -s KILL 30 git push', 'git push*', true],
    ['xargs -I {} git push', 'git push*', true],
    ['./deploy.sh now', './deploy.sh', true],
    ['cd scripts && bash -x deploy.sh', 'scripts/deploy.sh', true],
    ['cat yarn.lock', '*.lock', false],
    ['vendor/bin/phpunit', 'vendor/**', false],
    ['ls', '*', false],
    ['ls', '', false],
  ])('in %s, under %s: %s', (line, scope, found) => {
    expect(readShell(line, '/home/ada').commands.some(words => matchesCommand(scope, words))).toBe(
      found,
    )
  })
})

test('a line that cannot be parsed counts as one command', () => {
  const line = `git push ${'$('.repeat(20_000)}`
  expect(
    readShell(line, '/home/ada').commands.some(words => matchesCommand('git push*', words)),
  ).toBe(true)
})

test('a line that enters folder after folder is read in time', () => {
  const line = `${'cd a; '.repeat(20_000)} touch /a.ts`
  expect(readShell(line, '/home/ada').writes).toEqual(['/a.ts'])
})

describe('a path scope', () => {
  test.each([
    ['vendor/**', 'vendor/a/b.js', true],
    ['vendor/**', 'src/vendor/a.js', false],
    ['vendor/**', 'vendor', true],
    ['src/billing/**', 'src', true],
    ['src/billing', 'src/billing/tax.ts', true],
    ['*.lock', 'packages/a/yarn.lock', true],
    ['/package.json', 'packages/a/package.json', false],
    ['vendor/**', '../vendor/a', false],
    ['vendor/**', '.', false],
    ['./vendor/', 'vendor/a.js', true],
    ['./vendor/', 'src/vendor/a.js', false],
    ['my?folder/**', 'my folder/a.js', true],
  ])('%s and %s: %s', (scope, path, touched) => {
    expect(pathScope(scope)(path)).toBe(touched)
  })
})
