import { useRef, useState, type FormEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { optionLists, lists, tones, type ListEntry, type ListName } from '#features/admin/lists/contract.ts'
import classes from '#features/admin/lists/web/Lists.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { errorMessageOf } from '#web/api/errors.ts'
import { patchCachedReplies, useSend } from '#web/api/useSend.ts'
import { OrderedList } from '#web/board/OrderedList.tsx'
import { toast } from '#web/message/toast.ts'
import { Soft } from '#web/parts/Soft.tsx'
import { capitalize } from '#shared/capitalize.ts'
import { toneColor } from '#web/theme.ts'

interface Props {
  list: ListName
  entries: readonly ListEntry[]
  /** Keeps the server's error message on screen, because it says how many records use the entry. */
  onFailure: (words: string | undefined) => void
}

const options = { failure: 'throw' } as const

/** Confirms a change in a toast, because the changed row alone is easy to miss. */
const toastMessage = (reply: { message: string } | undefined, undo?: () => void) =>
  reply && toast.success(reply.message, undo && { undo: { label: 'Undo', onUndo: undo } })

/** The entries of a list, in order; each can be renamed, moved, and removed in place. */
export function ListsEntries({ list, entries, onFailure }: Props) {
  const { send: order } = useSend(optionLists.order, {
    ...options,
    optimisticUpdate: ({ body: { keys } }, queries) =>
      patchCachedReplies(queries, optionLists.all, ({ data }) => ({
        data: { ...data, [list]: data[list]?.toSorted((a, b) => keys.indexOf(a.key) - keys.indexOf(b.key)) },
      })),
  })
  const uses = useQuery({ ...queryOptionsFor(optionLists.uses, { params: { list } }), staleTime: 0 }).data
    ?.data
  const [renamed, setRenamed] = useState<string>()
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    onFailure(undefined)
    try {
      await work()
      return true
    } catch (error) {
      onFailure(errorMessageOf(error))
      return false
    }
  }
  const save = (keys: readonly string[], undo?: () => void) =>
    attempt(async () => {
      toastMessage(await order({ params: { list }, body: { keys: [...keys] } }), undo)
    })
  const move = (entry: ListEntry, before: ListEntry | undefined): Promise<boolean> => {
    const keys = entries.map(({ key }) => key)
    const others = keys.filter((key) => key !== entry.key)
    const moved = others.toSpliced(before ? others.indexOf(before.key) : others.length, 0, entry.key)
    return save(moved, () => void save(keys))
  }
  return (
    <>
      <OrderedList
        label={lists[list].label}
        entries={entries}
        keyOf={({ key }) => key}
        nameOf={({ name }) => name}
        onMove={move}
      >
        {(entry) => (
          <div className={classes.entry}>
            <Entry
              list={list}
              entry={entry}
              attempt={attempt}
              hasFocus={entry.name === renamed}
              onRenamed={setRenamed}
            />
            <span className={classes.uses}>{uses?.[entry.key]}</span>
            <Remove list={list} entry={entry} entries={entries} attempt={attempt} />
            {entry.fixed !== null && (
              <Soft as="span" small>
                {entry.fixed}
              </Soft>
            )}
          </div>
        )}
      </OrderedList>
      <NewEntry list={list} attempt={attempt} />
    </>
  )
}

interface EntryProps {
  list: ListName
  entry: ListEntry
  attempt: (work: () => Promise<unknown>) => Promise<boolean>
}

interface NameProps extends EntryProps {
  hasFocus: boolean
  /** Moves focus to the renamed entry: if the name is the key, the entry is now in a different row. */
  onRenamed: (name: string) => void
}

/**
 * Editable name of an entry. Saves on blur or Enter; Escape reverts. A rejected name stays in the field for
 * correction.
 */
function Entry({ list, entry, attempt, hasFocus, onRenamed }: NameProps) {
  const [name, setName] = useState(entry.name)
  const [stored, setStored] = useState(entry.name)
  const [asked, setAsked] = useState<{ name: string; isRefused: boolean }>()
  const { send, sending } = useSend(optionLists.change, options)
  if (stored !== entry.name) {
    setStored(entry.name)
    setAsked(undefined)
    if ([stored, entry.name].includes(name.trim())) setName(entry.name)
  }
  const save = async (field: HTMLInputElement) => {
    if (name.trim() === entry.name || name.trim() === '') return setName(entry.name)
    setAsked({ name, isRefused: false })
    const isDone = await attempt(() => send({ params: { list }, body: { key: entry.key, name } }))
    if (!isDone) setAsked({ name, isRefused: true })
    else if (field === document.activeElement) onRenamed(name.trim())
  }
  return (
    <>
      <TextInput
        className={classes.name}
        data-toned={entry.tone !== null || undefined}
        {...(entry.tone && { style: { '--tone': toneColor(entry.tone) } })}
        size="xs"
        aria-label={`Name of ${entry.name}`}
        value={name}
        maxLength={200}
        autoFocus={hasFocus}
        onChange={(event) => setName(event.currentTarget.value)}
        error={asked?.isRefused && asked.name === name}
        onBlur={(event) => name !== asked?.name && void save(event.currentTarget)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !sending) void save(event.currentTarget)
          if (event.key === 'Escape') setName(entry.name)
        }}
      />
      {entry.tone && (
        <NativeSelect
          size="xs"
          className={classes.tone}
          aria-label={`Color of ${entry.name}`}
          value={entry.tone}
          data={tones.map((tone) => ({ value: tone, label: capitalize(tone) }))}
          onChange={(event) => {
            const tone = event.currentTarget.value as (typeof tones)[number]
            void attempt(() => send({ params: { list }, body: { key: entry.key, tone } }))
          }}
        />
      )}
      {entry.probability !== null && (
        <>
          <Figure
            key={`probability-${entry.probability}`}
            name="probability"
            entry={entry}
            list={list}
            attempt={attempt}
          />
          <Figure
            key={`stuck-${entry.stuck_days}`}
            name="stuck_days"
            entry={entry}
            list={list}
            attempt={attempt}
          />
          <DemoOf entry={entry} list={list} attempt={attempt} />
        </>
      )}
    </>
  )
}

const figures = {
  probability: {
    label: (status: string) => `Probability of ${status} in percent`,
    title: 'How likely a lead in this status is won',
    unit: '%',
  },
  stuck_days: {
    label: (status: string) => `Days without activity until a lead in ${status} is stuck`,
    title: 'After so many days without activity, a lead in this status is stuck; 0: never',
    unit: 'd',
  },
} as const

/** The kind of demo after which the status is offered; another status that had it has none then. */
function DemoOf({ list, entry, attempt }: EntryProps) {
  const { send } = useSend(optionLists.change, options)
  return (
    <NativeSelect
      size="xs"
      className={classes.tone}
      aria-label={`Demo of ${entry.name}`}
      title="Offered for leads whose demo was scheduled or completed"
      value={entry.for_demo?.toString() ?? ''}
      data={[
        { value: '', label: 'No demo' },
        { value: '2', label: 'Demo scheduled' },
        { value: '3', label: 'Demo completed' },
      ]}
      onChange={(event) => {
        const { value } = event.currentTarget
        const for_demo = value === '' ? null : value === '2' ? 2 : 3
        void attempt(() => send({ params: { list }, body: { key: entry.key, for_demo } }))
      }}
    />
  )
}

/** A figure of a status; saved on blur or Enter. */
function Figure({ name, list, entry, attempt }: EntryProps & { name: keyof typeof figures }) {
  const { send } = useSend(optionLists.change, options)
  const stored = String(entry[name])
  const [typed, setTyped] = useState(stored)
  const { label, title, unit } = figures[name]
  const save = async () => {
    if (typed.trim() === stored) return
    const body = { key: entry.key, [name]: typed.trim() === '' ? 0 : Number(typed) }
    if (!(await attempt(() => send({ params: { list }, body })))) setTyped(stored)
  }
  return (
    <TextInput
      size="xs"
      className={classes.figure}
      aria-label={label(entry.name)}
      title={title}
      inputMode="numeric"
      rightSection={unit}
      value={typed}
      maxLength={3}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => void save()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key === 'Escape') setTyped(stored)
      }}
    />
  )
}

/** Returns a function that adds a removed entry again, in its place. No record uses it. */
function useRestore({ list, entry, entries }: RemoveProps) {
  const { send: add } = useSend(optionLists.add, options)
  const { send: change } = useSend(optionLists.change, options)
  const { send: order } = useSend(optionLists.order, options)
  const { name, tone, probability, stuck_days, for_demo } = entry
  const params = { list }
  return async () => {
    const body = { name, ...(tone !== null && { tone: tone as (typeof tones)[number] }) }
    const keys = (await add({ params, body }))?.data.map(({ key }) => key) ?? []
    // A new entry is the last one.
    const key = keys.pop()
    if (key === undefined) return
    if (probability !== null && stuck_days !== null)
      await change({ params, body: { key, probability, stuck_days, for_demo: for_demo as 2 | 3 | null } })
    await order({ params, body: { keys: keys.toSpliced(entries.indexOf(entry), 0, key) } })
    toast.success(`${name} restored.`)
  }
}

interface RemoveProps extends EntryProps {
  /** The whole list. */
  entries: readonly ListEntry[]
}

function Remove(props: RemoveProps) {
  const { list, entry, attempt } = props
  const { send, sending } = useSend(optionLists.remove, options)
  const restore = useRestore(props)
  const remove = async (row: HTMLElement) => {
    if (entry.fixed !== null || sending) return
    const undo = () => void attempt(restore)
    const body = { key: entry.key }
    if (await attempt(async () => toastMessage(await send({ params: { list }, body }), undo)))
      moveFocusFrom(row)
  }
  return (
    <ActionIcon
      variant="default"
      aria-label={`Remove ${entry.name}`}
      aria-disabled={entry.fixed !== null || sending}
      title={entry.fixed ?? undefined}
      data-disabled={entry.fixed !== null || undefined}
      onClick={(event) => void remove(event.currentTarget.closest('li')!)}
    >
      <IconTrash size={14} aria-hidden />
    </ActionIcon>
  )
}

/**
 * Moves focus away from a row that is being removed: to a neighboring row or, if there is none, to the field
 * for a new entry.
 */
function moveFocusFrom(row: HTMLElement): void {
  if (!row.contains(document.activeElement)) return
  const neighbor = row.nextElementSibling ?? row.previousElementSibling
  const next =
    neighbor?.querySelector<HTMLElement>(':scope > div button:last-of-type') ??
    row.closest('section')?.querySelector<HTMLElement>('form input')
  next?.focus()
}

function NewEntry({ list, attempt }: Pick<EntryProps, 'list' | 'attempt'>) {
  const [name, setName] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const { send, sending } = useSend(optionLists.add, options)
  const add = async (event: FormEvent) => {
    event.preventDefault()
    // The button is about to be disabled, so move focus to the field for the next entry.
    field.current?.focus()
    if (
      name.trim() !== '' &&
      (await attempt(async () => toastMessage(await send({ params: { list }, body: { name } }))))
    )
      setName('')
  }
  return (
    <form className={classes.new} aria-label={`New ${lists[list].one}`} onSubmit={(event) => void add(event)}>
      <TextInput
        ref={field}
        size="xs"
        className={classes.name}
        aria-label={`New ${lists[list].one} name`}
        placeholder={`New ${lists[list].one}`}
        value={name}
        maxLength={200}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" size="xs" loading={sending} disabled={name.trim() === ''}>
        Add
      </Button>
    </form>
  )
}
