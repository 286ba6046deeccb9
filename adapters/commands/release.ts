import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '#adapters/process/build.js'
import { exits } from './exits.ts'

// npm calls this before it publishes: a package that is out cannot be taken back.
// The package file is ours, and has both.
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  name: string
  version: string
}
const release = `${name}@${version}`
if (process.env['PUBLISH'] !== release) {
  process.stderr.write(
    `This would publish ${release}. If that is the name that is yours, say so: PUBLISH=${release} npm publish\n`,
  )
  process.exitCode = exits.refused
}
