'use strict'
// Runs before scripts that need type stripping; written so that any Node can parse it.
var version = process.versions.node.split('.').map(Number)
if (version[0] < 22 || (version[0] === 22 && version[1] < 18)) {
  console.error('Node.js 22.18 or newer is needed; this is ' + process.versions.node + '.')
  console.error('Run npm ci without --omit=optional: it installs the pinned Node for npm scripts.')
  process.exit(2)
}
