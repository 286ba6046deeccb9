// Plain, short and friendly in any order, and all different. Handles keep the words they were made
// with, so these lists may change at any time.
const adjectives =
  'agile amber apt blue bold brave brief bright brisk calm candid clear clever cosy crisp daring ' +
  'deft eager early easy even fair fleet fond frank fresh gentle glad golden grand green handy ' +
  'happy hardy honest jolly keen kind lively lucid lunar mellow merry mild modest neat nimble noble ' +
  'open patient plain polite proud quick quiet rapid ready sharp silver solar steady sunny swift tidy'

const nouns =
  'acorn anchor aspen badger basil beacon bear birch bridge brook canyon cedar comet coral crane ' +
  'delta dune eagle elm ember falcon fern field finch forest fox garden glade grove harbor hazel ' +
  'heron hill island ivy kestrel lake lantern lark linden lynx maple marten meadow moss oak orchard ' +
  'otter owl pebble pine plover pond quartz raven reed ridge river robin sparrow spruce valley willow wren'

/** Adjectives of 3 to 7 letters. */
export const describing: readonly string[] = adjectives.split(' ')

/** Nouns of 3 to 7 letters. */
export const naming: readonly string[] = nouns.split(' ')
