import { isatty } from 'node:tty'
import { pino } from 'pino'
import type { Log } from '#src/ports/log.ts'
import { redact, redactText } from './redact.ts'
import { readable, type LogStream } from './terminal.ts'

export interface LogOptions {
  level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** By default standard output. */
  stream?: LogStream
}

const standardOutput = 1
/** Members that every line has; a field by such a name is written with `_` behind it. */
const ownMembers = new Set(['level', 'time', 'message'])

/** Opens the log: one line of JSON an event, or on a terminal one to be read, without secrets. */
export function openLog({ level, stream = openStandardOutput() }: LogOptions): Log {
  const pen = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream.isTTY ? readable(stream) : stream,
  )
  const write = (at: 'debug' | 'info' | 'warn' | 'error'): Log['info'] => {
    return (message, fields = {}) => {
      if (pen.isLevelEnabled(at)) pen[at](renamed(redact(fields)), redactText(message))
    }
  }
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}

function renamed(fields: Record<string, unknown>): Record<string, unknown> {
  if (!Object.keys(fields).some((name) => ownMembers.has(name))) return fields
  const entries = Object.entries(fields)
  return Object.fromEntries(
    entries.map(([name, value]) => [ownMembers.has(name) ? `${name}_` : name, value]),
  )
}

/**
 * The lines of one turn of the event loop go out with one write, and what is left at the end of the
 * process with another; both are synchronous, so the last line before an exit is never lost. When
 * nobody reads any more, lines are dropped.
 */
function openStandardOutput(): LogStream {
  const output = pino.destination({ dest: standardOutput, sync: true })
  const isTTY = isatty(standardOutput)
  let lines = ''
  const flush = (): void => {
    if (lines !== '') output.write(lines)
    lines = ''
  }
  process.once('exit', flush)
  return {
    isTTY,
    hasColours: isTTY && process.stdout.hasColors(),
    write(line) {
      if (lines === '') setImmediate(flush)
      lines += line
    },
  }
}
