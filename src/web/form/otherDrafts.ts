import { dropDraft, keepDraft, readDraft, readLongDraft, type Draft } from '#web/form/draft.ts'

/*
 * Two tabs, or a form whose draft still loads, can have different input for the same form. Only one of them is
 * the form's draft; the others are set aside under these names, and the form offers them.
 */

const slots = [1, 2, 3, 4, 5]
const asideNames = (form: string) => slots.map((slot) => `${form}:other-${slot}`)

/** Returns a text that is the same for drafts with the same input; a long one has its time instead. */
export const contentOf = (draft: Pick<Draft, 'values' | 'at' | 'onServer'> | undefined): string =>
  draft?.onServer ? `at ${draft.at}` : contentOfValues(draft?.values ?? {})

export const contentOfValues = (values: object): string =>
  JSON.stringify(Object.entries(values).toSorted(([one], [other]) => (one < other ? -1 : 1)))

/** Sets input aside that would overwrite other input; returns its name. */
export function setAside(form: string, values: object, over: object): string {
  const name = freeName(form, values) ?? asideNames(form).at(-1)!
  keepDraft(name, values, over)
  return name
}

/** Makes values the draft of a form that isn't open; input that is there is set aside. */
export function restoreDraft(form: string, values: object): void {
  const there = readDraft(form)
  // What only the server has can't be set aside right now.
  if (there?.onServer) return void setAside(form, values, {})
  if (there) setAside(form, there.values, there.over ?? {})
  keepDraft(form, values, {})
}

/** Returns a name under which input can be set aside without overwriting any other. */
function freeName(form: string, values: object): string | undefined {
  const content = contentOfValues(values)
  return asideNames(form).find((name) => {
    const there = readDraft(name)
    return !there || contentOf(there) === content
  })
}

/** Returns the name of a draft that was set aside, other than `except`; undefined if there is none. */
export const findAside = (form: string, except?: string): string | undefined =>
  asideNames(form).find((name) => name !== except && readDraft(name) !== undefined)

/** Whether the viewer left input in a form, as its draft or set aside. */
export const hasDraft = (form: string): boolean =>
  readDraft(form) !== undefined || findAside(form) !== undefined

/** Returns a draft with its values, also if they are on the server; undefined if they can't be read. */
export async function readWhole(form: string): Promise<Draft | undefined> {
  return readDraft(form)?.onServer ? readLongDraft(form).catch(() => undefined) : readDraft(form)
}

/**
 * Moves a form's draft to another form, whose own draft keeps its other fields, and the drafts that were set aside;
 * returns whether there was one.
 * @param text field whose texts are joined, with `glue` between them
 */
export async function moveDraft(from: string, to: string, text: string, glue = ''): Promise<boolean> {
  const isMoved = await moveOwn(from, to, text, glue)
  return (await moveAsides(from, to)) || isMoved
}

async function moveOwn(from: string, to: string, text: string, glue: string): Promise<boolean> {
  const [moved, own] = await Promise.all([readWhole(from), readWhole(to)])
  if (!moved) return false
  // A draft that can't be read must not be overwritten.
  if (!own && readDraft(to)) setAside(to, moved.values, moved.over ?? {})
  else keepJoined(to, moved, own, text, glue)
  dropDraft(from)
  return true
}

/** Moves drafts that were set aside. Those that can't be read, or for which there is no room, stay. */
async function moveAsides(from: string, to: string): Promise<boolean> {
  let isMoved = false
  for (const name of asideNames(from)) {
    const draft = await readWhole(name)
    const free = draft && freeName(to, draft.values)
    if (!draft || free === undefined) continue
    keepDraft(free, draft.values, draft.over ?? {})
    dropDraft(name)
    isMoved = true
  }
  return isMoved
}

function keepJoined(to: string, moved: Draft, own: Draft | undefined, text: string, glue: string): void {
  const both = (field: string) =>
    [own, moved].flatMap((draft) => (draft && field in draft.values ? [draft.values[field]] : []))
  const ids = both('file_ids').flat()
  keepDraft(
    to,
    {
      ...moved.values,
      ...own?.values,
      [text]: (both(text) as string[]).join(glue),
      ...(ids.length > 0 && { file_ids: ids }),
    },
    { ...moved.over, ...own?.over },
  )
}
