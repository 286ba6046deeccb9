import { nearest } from '#src/core/input/nearest.ts'
import { versionOfPackage } from '#adapters/compose/about.ts'
import { programs } from '#adapters/process/programs.js'
import { noneOf } from './arguments.ts'
import { exits, type Exit } from './exits.ts'

const helps = ['help', '--help', '-h']
const versions = ['version', '--version', '-v']

const usage = `abode [command] [options]

${[...programs].map(([name, { does }]) => `  ${name.padEnd(18)} ${does}\n`).join('')}
abode COMMAND --help says more of each; abode --version says which one this is.
`
const startUsage = `abode start

Runs the server, on 127.0.0.1:8080 with its data in ./data. Its settings are environment variables, such
as PORT, HOST and DATA_DIR, or MONGODB_URI for a database: a wrong one is named on standard error. SIGTERM
or Ctrl+C stops it.
`

process.exitCode = await answer(process.argv.slice(2))

/** What is said to words that start no program. */
async function answer([word = '', ...more]: readonly string[]): Promise<Exit> {
  if (word === 'start') return ofStart(more)
  if (helps.includes(word)) return told(usage)
  if (versions.includes(word)) return told(`${versionOfPackage()}\n`)
  const known = [...programs.keys(), ...helps, ...versions]
  return misused(noneOf(word.startsWith('-') ? 'option' : 'command', word, known), usage)
}

async function ofStart([word = '']: readonly string[]): Promise<Exit> {
  if (helps.includes(word)) return told(startUsage)
  const { settings } = await import('#adapters/config/read.ts')
  const [option = ''] = word.replace(/^-+/, '').split('=')
  const names = settings.map(({ name }) => name)
  const meant = nearest(option, names)
  const shown = JSON.stringify(word.slice(0, 60))
  const hint = meant === undefined ? '' : `; ${meant}=… before the command sets that`
  return misused(`start takes no words, and so no ${shown}${hint}.`, startUsage)
}

function told(text: string): Exit {
  process.stdout.write(text)
  return exits.done
}

function misused(complaint: string, help: string): Exit {
  process.stderr.write(`${complaint}\n\n${help}`)
  return exits.usage
}
