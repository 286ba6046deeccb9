import { writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import { pino } from 'pino'
import type { Log } from '#src/ports/log.ts'
import { dropping } from './drop.ts'
import { redact, redactText } from './redact.ts'
import { readable, type LogStream } from './terminal.ts'
import { onlyOne, type Writer } from './writer.ts'

export interface LogOptions {
  level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** By default standard output. */
  stream?: LogStream
  /** What every line says of the process; on a terminal only which of several it is. */
  writer?: Writer
}

const standardOutput = 1
/** Members of every line; a field with one of these names is written with `_` after it. */
const ownMembers = new Set(['level', 'time', 'message', 'process', 'role', 'version', 'pid'])

/** Opens the log: one line of JSON per event, or readable lines on a terminal, without secrets. */
export function openLog({ level, stream = openStandardOutput(), writer }: LogOptions): Log {
  const pen = pino(
    {
      level,
      base: (stream.isTTY ? shownOf(writer) : writer) ?? null,
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

function shownOf(writer: Writer | undefined): object | undefined {
  return writer && writer.process !== onlyOne ? { process: writer.process } : undefined
}

function renamed(fields: Record<string, unknown>): Record<string, unknown> {
  if (!Object.keys(fields).some((name) => ownMembers.has(name))) return fields
  const entries = Object.entries(fields)
  return Object.fromEntries(
    entries.map(([name, value]) => [ownMembers.has(name) ? `${name}_` : name, value]),
  )
}

/**
 * The lines of one turn of the event loop are written at once, and the rest at the end of the process.
 * Both writes are synchronous, so the last line before an exit is never lost. Lines that cannot be
 * written, because the reader is gone or a disk is full, are dropped; their number is logged when
 * writing works again.
 */
function openStandardOutput(): LogStream {
  const put = dropping(writeAll)
  const isTTY = isatty(standardOutput)
  let lines = ''
  const flush = (): void => {
    const given = lines
    lines = ''
    if (given !== '') put(given)
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

const pauseMs = 10
const pause = new Int32Array(new SharedArrayBuffer(4))

/** Waits for a reader that is behind. @throws if it cannot be written */
function writeAll(lines: string): void {
  let rest = Buffer.from(lines)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(standardOutput, rest))
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EAGAIN') throw cause
      Atomics.wait(pause, 0, 0, pauseMs)
    }
  }
}
