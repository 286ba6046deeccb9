import { join } from 'node:path'
import { Unavailable } from '#src/ports/store.ts'
import { storeOfServer } from '#adapters/compose/server-store.ts'
import { readConfig } from '#adapters/config/read.ts'
import { folderFiles } from '#adapters/files/folder.ts'
import type { OpenedStore } from '#adapters/store/opened.ts'
import { isDamage } from '#adapters/store/sqlite/errors.ts'
import { Misused, parsed } from './arguments.ts'
import { calledAs } from './called.ts'
import { complained, complainedOfSettings, run, said } from './command.ts'
import { exits, type Exit } from './exits.ts'
import { brokenBooks } from './verification/books.ts'
import { brokenCounts } from './verification/counts.ts'
import { brokenFiles } from './verification/files.ts'
import type { Fault, Verifying } from './verification/fault.ts'
import { brokenReferences } from './verification/references.ts'

/** What is looked for in the documents, besides damage of the database. */
const checks = {
  references: brokenReferences,
  files: brokenFiles,
  books: brokenBooks,
  counts: brokenCounts,
}
type Finding = Fault & { check: string }

const toldEveryMs = 2000
const shownAtMost = 1000
const options = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const
const usage = `${calledAs('verify')}

  --json  prints one line of JSON

Reads all of the store and says what cannot be as it is: damage of the database, documents that name what is not there,
files that are missing or changed, ledgers that do not add up, and counts that are wrong. It changes nothing, and a server
may run meanwhile. It ends with 0 where it found nothing, and with 1 where it found something. Progress is on standard error.
The store is found by the settings of the server (DATA_DIR, or MONGODB_URI with ABODE_MASTER_KEY).
`

await run(verify)

/** The operator's command, from its arguments to its exit code. */
async function verify(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Exit> {
  try {
    const { values, positionals } = parsed(words, options)
    if (values.help) return said(usage)
    if (positionals.length > 0) throw new Misused('verify takes no words.')
    const { mongodbUri, dataDir } = readConfig(env)
    const store = await storeOfServer(env)
    try {
      const folder = mongodbUri === undefined ? dataDir : undefined
      const { findings, looked } = await foundIn(store, dataDir, folder)
      return told(findings, looked, values.json === true)
    } finally {
      await store.close()
    }
  } catch (cause) {
    if (cause instanceof Misused) return complained(exits.usage, cause.message, '', usage)
    if (cause instanceof Unavailable) {
      return complained(exits.unavailable, 'The store does not answer. Call this command again.')
    }
    const exit = complainedOfSettings(cause)
    if (exit === undefined) throw cause
    return exit
  }
}

/** @param folder of the embedded store; undefined for a database, whose server checks itself */
async function foundIn(store: OpenedStore, dataDir: string, folder: string | undefined) {
  const findings: Finding[] = []
  let looked = 0
  let toldAt = performance.now()
  const verifying: Verifying = {
    store,
    files: store.files ?? folderFiles(join(dataDir, 'files')),
    looked(count) {
      looked += count
      if (performance.now() - toldAt < toldEveryMs) return
      toldAt = performance.now()
      process.stderr.write(`${looked} looked at, ${findings.length} found\n`)
    },
  }
  if (folder !== undefined) {
    const { tablesChecked } = await import('#adapters/store/sqlite/use/integrity.ts')
    for (const { table, faults } of tablesChecked(folder)) {
      findings.push(...faults.map((fault) => ({ check: 'database', at: table, fault })))
      verifying.looked(1)
    }
  }
  for (const [check, faultsOf] of Object.entries(checks)) {
    try {
      for await (const fault of faultsOf(verifying)) findings.push({ check, ...fault })
    } catch (cause) {
      if (cause instanceof Unavailable && !isDamage(cause.cause)) throw cause
      // What is damaged cannot be read on.
      const fault = cause instanceof Error ? cause.message : String(cause)
      findings.push({ check: 'database', at: check, fault })
    }
  }
  return { findings, looked }
}

function told(findings: readonly Finding[], looked: number, isJson: boolean): Exit {
  const found = findings.length
  if (isJson) said(`${JSON.stringify({ looked, found, items: findings.slice(0, shownAtMost) })}\n`)
  else {
    const lines = findings
      .slice(0, shownAtMost)
      .map((one) => `${one.check}  ${one.at}: ${one.fault}\n`)
    said(`${lines.join('')}${looked} looked at, ${found} found.\n`)
  }
  return found === 0 ? exits.done : exits.failed
}
