import type { Material } from '#src/ports/extractor.ts'
import type { ProcessReply, ProcessRequest, Reply } from './message.ts'
import { faultOf, repliesOf } from './parts.ts'
import { ReadingThread, type ThreadTerms } from './thread.ts'

/** The process that reads: it is told of one material at a time, and has a thread that may be ended. */
const [said = '{}'] = process.argv.slice(2)
// The one who started it said how it is to read.
const given = JSON.parse(said) as Omit<ThreadTerms, 'code'> & { code: string }
const terms: ThreadTerms = { ...given, code: new URL(given.code) }

/** A material whose bytes are still to come. */
interface Coming {
  material: Material
  at: number
}

let thread: ReadingThread | undefined
let coming: Coming | undefined
let replies: Iterator<Reply> | undefined

function take(request: ProcessRequest): void {
  if (request === 'more') return tell()
  if ('begin' in request) {
    coming = { material: { ...request.begin, bytes: new Uint8Array(request.size) }, at: 0 }
  } else if (coming) {
    coming.material.bytes.set(request.bytes, coming.at)
    coming.at += request.bytes.length
  }
  if (coming?.at !== coming?.material.bytes.length || !coming) return
  const { material } = coming
  coming = undefined
  void read(material)
}

async function read(material: Material): Promise<void> {
  if (thread?.isGone) thread = undefined
  thread ??= new ReadingThread(terms)
  try {
    replies = repliesOf(await thread.read(material))
  } catch (cause) {
    replies = [faultOf(cause)].values()
  }
  tell()
}

/** Sends the next part of what was read. */
function tell(): void {
  const next = replies?.next()
  if (!next || next.done) return
  const reply: ProcessReply = next.value
  const isLast = 'fault' in reply || reply.about !== null
  process.send?.(isLast ? { ...reply, isFull: isFull() } : reply)
}

/** What a thread has left behind is given back only with the process. */
function isFull(): boolean {
  return !thread || thread.isGone || thread.isFull
}

// A terminal and a service manager stop all processes together: the one who started this one ends it.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
// Only the one who started it writes to this channel.
process.on('message', (request) => take(request as ProcessRequest))
process.on('disconnect', () => process.exit())
