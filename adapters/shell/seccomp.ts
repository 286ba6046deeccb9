import { endianness } from 'node:os'

/** System calls by number, on x86-64 and on 64-bit ARM; null where there is none. */
type Numbers = readonly [x64: number | null, arm64: number | null]

/**
 * System calls that a command must not make: those for memory that belongs to no process and so to no
 * limit, and those that have been used to break out.
 */
const refused: Readonly<Record<string, Numbers>> = {
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  shmget: [29, 194],
  semget: [64, 190],
  msgget: [68, 186],
  mq_open: [240, 180],
  io_uring_setup: [425, 425],
  userfaultfd: [323, 282],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  unshare: [272, 97],
  setns: [308, 268],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  mount_setattr: [442, 442],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  kexec_load: [246, 104],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  quotactl: [179, 60],
  swapon: [167, 224],
  reboot: [169, 142],
}
const socket: Numbers = [41, 198]
// A network namespace does not isolate other families, such as those between a virtual machine and its
// host.
const socketFamilies = [1 /* unix */, 2 /* IPv4 */, 10 /* IPv6 */]

const architectures = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const
/** On x86-64, system calls of another ABI begin here. */
const otherInterface = 0x4000_0000

const load = 0x20
const ifEqual = 0x15
const ifAtLeast = 0x35
const give = 0x06
const allow = 0x7fff_0000
const killProcess = 0x8000_0000
const notPermitted = 0x0005_0001

type Step = readonly [code: number, value: number, target?: Label, otherwise?: Label]
type Label = 'next' | 'allow' | 'refuse' | 'kill' | 'socket'

/** The filter in the kernel's form; undefined on an unsupported architecture. */
export function seccompFilter(arch: string = process.arch): Buffer | undefined {
  if ((arch !== 'x64' && arch !== 'arm64') || endianness() !== 'LE') return undefined
  const at = arch === 'x64' ? 0 : 1
  const numbers = Object.values(refused).flatMap((both) => both[at] ?? [])
  const steps: Step[] = [
    [load, 4],
    [ifEqual, architectures[arch], 'next', 'kill'],
    [load, 0],
    ...(arch === 'x64' ? [[ifAtLeast, otherInterface, 'refuse', 'next'] as const] : []),
    ...numbers.map((number): Step => [ifEqual, number, 'refuse', 'next']),
    [ifEqual, socket[at] ?? 0, 'socket', 'allow'],
  ]
  const endings: Step[] = [
    [load, 16],
    ...socketFamilies.map((family): Step => [ifEqual, family, 'allow', 'next']),
    [give, notPermitted],
    [give, allow],
    [give, killProcess],
  ]
  const all = [...steps, ...endings]
  const places = {
    socket: steps.length,
    refuse: all.length - 3,
    allow: all.length - 2,
    kill: all.length - 1,
  }
  const filter = Buffer.alloc(all.length * 8)
  for (const [i, [code, value, target = 'next', otherwise = 'next']] of all.entries()) {
    const distance = (label: Label): number => (label === 'next' ? 0 : places[label] - i - 1)
    filter.writeUInt16LE(code, i * 8)
    filter.writeUInt8(distance(target), i * 8 + 2)
    filter.writeUInt8(distance(otherwise), i * 8 + 3)
    filter.writeUInt32LE(value >>> 0, i * 8 + 4)
  }
  return filter
}
