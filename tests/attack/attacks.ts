import type { Socket } from 'node:net'
import type { Attack } from './attack-types.ts'
import { documentAttack } from './documents.ts'
import { manifestAttack } from './manifests.ts'
import { neighbourAttacks } from './neighbours.ts'
import { programAttack } from './programs.ts'
import { posting, storm } from './sockets.ts'

const mcpCall = (args: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"health_get","arguments":${args}}}`

const numbered = (count: number): string =>
  `{${Array.from({ length: count }, (_, i) => `"${i}":1`).join(',')}}`

/** A body that is announced as chunks and comes in so many bytes now and then. */
function dripping(path: string, headers: string, bytes: number): (socket: Socket) => void {
  const piece = `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`
  return (socket) => {
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}Transfer-Encoding: chunked\r\n\r\n1\r\n"\r\n`,
    )
    const drip = setInterval(() => socket.write(piece), 20)
    socket.once('close', () => clearInterval(drip))
  }
}

const marks = `{"name":"${'\u0323\u0301'.repeat(15_000)}"}`
const bomb = mcpCall(numbered(1_400_000))
const deep = mcpCall('['.repeat(30_000))
const strangers = `{${Array.from({ length: 60_000 }, (_, i) => `"m${i}":1`).join(',')}}`

function bytesOf(write: Buffer): (socket: Socket) => void {
  return (socket) => void socket.write(write)
}

export const attacks: readonly Attack[] = [
  {
    name: 'flood',
    what: 'requests without a key, as fast as 32 connections take them',
    given: ['200'],
    run: async ({ port }, answers, signal) =>
      storm(
        port,
        {
          write: bytesOf(
            Buffer.from('GET /api/commons/threads HTTP/1.1\r\nHost: localhost\r\n\r\n'),
          ),
        },
        { atOnce: 32, answers, signal },
      ),
  },
  {
    name: 'fuzz',
    what: 'bytes that are no HTTP, and headers that never end',
    run: async ({ port }, answers, signal) => {
      const noise = Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919) % 251))
      const lines = 'X-A: b\r\n'.repeat(3000)
      await Promise.all([
        storm(port, { write: bytesOf(noise) }, { atOnce: 16, answers, signal }),
        storm(
          port,
          { write: (socket) => socket.write(`GET / HTTP/1.1\r\n${lines}`) },
          { atOnce: 16, answers, signal },
        ),
      ])
    },
  },
  {
    name: 'marks',
    what: '60 kB of combining marks without a key',
    run: async ({ port }, answers, signal) =>
      storm(
        port,
        { write: bytesOf(posting('/api/agent-claim', marks)) },
        { atOnce: 8, answers, signal },
      ),
  },
  {
    name: 'chunks',
    what: '80 slow bodies of megabytes in chunks, without a key',
    run: async ({ port }, answers, signal) =>
      storm(port, { write: dripping('/mcp', '', 16_384) }, { atOnce: 80, answers, signal }),
  },
  {
    name: 'chunks-keyed',
    what: '80 slow bodies of megabytes in chunks, with a free key',
    run: async ({ port, key }, answers, signal) =>
      storm(
        port,
        { write: dripping('/mcp', `Authorization: Bearer ${key}\r\n`, 65_536) },
        { atOnce: 80, answers, signal },
      ),
  },
  {
    name: 'crumbs',
    what: 'bodies in chunks of one byte, without a key',
    run: async ({ port }, answers, signal) =>
      storm(
        port,
        {
          write: (socket) => {
            dripping('/a2a', '', 1)(socket)
            socket.write('1\r\nx\r\n'.repeat(50_000))
          },
        },
        { atOnce: 32, answers, signal },
      ),
  },
  {
    name: 'numbers',
    what: '16 MB of members whose names are numbers, with and without a key',
    run: async ({ port, key }, answers, signal) => {
      await Promise.all(
        ['', `Authorization: Bearer ${key}\r\n`].map((headers) =>
          storm(
            port,
            { write: bytesOf(posting('/mcp', bomb, headers)) },
            { atOnce: 4, answers, signal },
          ),
        ),
      )
    },
  },
  {
    name: 'depth',
    what: 'bodies nested 30,000 deep',
    given: ['200'],
    run: async ({ port }, answers, signal) =>
      storm(port, { write: bytesOf(posting('/a2a', deep)) }, { atOnce: 8, answers, signal }),
  },
  {
    name: 'strangers',
    what: '60,000 members that there are not, with a free key',
    run: async ({ port, key }, answers, signal) =>
      storm(
        port,
        {
          write: bytesOf(posting('/api/characters', strangers, `Authorization: Bearer ${key}\r\n`)),
        },
        { atOnce: 4, answers, signal },
      ),
  },
  {
    name: 'streams',
    what: 'event streams of one free key, as many as there are places',
    given: ['200'],
    run: async ({ port, key, runId }, answers, signal) =>
      storm(
        port,
        {
          write: bytesOf(
            Buffer.from(
              `GET /api/runs/${runId}/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${key}\r\n\r\n`,
            ),
          ),
        },
        { atOnce: 400, answers, signal },
      ),
  },
  {
    name: 'unread',
    what: '300 connections ask for the largest document 20 times and read nothing',
    run: async ({ port }, answers, signal) =>
      storm(
        port,
        {
          write: bytesOf(
            Buffer.from('GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(16)),
          ),
          isDeaf: true,
          heldMs: 20_000,
        },
        { atOnce: 300, answers, signal },
      ),
  },
  {
    name: 'idle',
    what: '2,000 connections that say nothing, or half a request',
    run: async ({ port }, answers, signal) => {
      await Promise.all([
        storm(port, { write: () => undefined }, { atOnce: 1000, answers, signal }),
        storm(
          port,
          { write: (socket) => socket.write('GET / HTTP/1.1\r\nHo') },
          { atOnce: 1000, answers, signal },
        ),
      ])
    },
  },
  ...neighbourAttacks,
  manifestAttack,
  documentAttack,
  programAttack,
]
