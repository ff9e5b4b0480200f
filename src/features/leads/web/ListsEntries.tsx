import { useState, type FormEvent } from 'react'
import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { leadLists, lists, tones, type ListEntry, type ListName } from '#features/leads/lists.contract.ts'
import classes from '#features/leads/web/Lists.module.css'
import { wordsOf } from '#web/api/errors.ts'
import { useSend } from '#web/api/useSend.ts'
import { Tone } from '#web/shell/Tone.tsx'

interface Props {
  list: ListName
  entries: readonly ListEntry[]
  /** What the server refuses stays in sight: it says by how many records an entry is used. */
  onFailure: (words: string | undefined) => void
}

const options = { refresh: [leadLists.all], failure: 'throw' } as const

/** The entries of a list in their order, each to be renamed, moved and removed in place. */
export function ListsEntries({ list, entries, onFailure }: Props) {
  const { send: order, sending } = useSend(leadLists.order, options)
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    onFailure(undefined)
    try {
      await work()
      return true
    } catch (error) {
      onFailure(wordsOf(error))
      return false
    }
  }
  const move = (from: number, to: number) => {
    const keys = entries.map(({ key }) => key)
    keys.splice(to, 0, ...keys.splice(from, 1))
    void attempt(() => order({ params: { list }, body: { keys } }))
  }
  return (
    <>
      <ol className={classes.entries}>
        {entries.map((entry, index) => (
          <li key={entry.key} className={classes.entry}>
            <Entry key={entry.name} list={list} entry={entry} attempt={attempt} />
            <ActionIcon variant="default" aria-label={`Move ${entry.name} up`} disabled={index === 0 || sending} onClick={() => move(index, index - 1)}>
              <IconArrowUp size={14} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="default"
              aria-label={`Move ${entry.name} down`}
              disabled={index === entries.length - 1 || sending}
              onClick={() => move(index, index + 1)}
            >
              <IconArrowDown size={14} aria-hidden />
            </ActionIcon>
            <Remove list={list} entry={entry} attempt={attempt} />
          </li>
        ))}
      </ol>
      <NewEntry list={list} attempt={attempt} />
    </>
  )
}

interface EntryProps {
  list: ListName
  entry: ListEntry
  attempt: (work: () => Promise<unknown>) => Promise<boolean>
}

/** The name is saved when the field is left or with Enter; Escape takes back what was typed. */
function Entry({ list, entry, attempt }: EntryProps) {
  const [name, setName] = useState(entry.name)
  const { send } = useSend(leadLists.change, options)
  const save = () => {
    if (name.trim() === entry.name || name.trim() === '') return setName(entry.name)
    void attempt(() => send({ params: { list }, body: { key: entry.key, name } })).then((done) => done || setName(entry.name))
  }
  return (
    <>
      {entry.tone && <Tone tone={entry.tone}>{''}</Tone>}
      <TextInput
        className={classes.name}
        size="xs"
        aria-label={`Name of ${entry.name}`}
        value={name}
        maxLength={200}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur()
          if (event.key === 'Escape') setName(entry.name)
        }}
      />
      {entry.tone && (
        <NativeSelect
          size="xs"
          className={classes.tone}
          aria-label={`Colour of ${entry.name}`}
          value={entry.tone}
          data={[...tones]}
          onChange={(event) => {
            const tone = event.currentTarget.value as (typeof tones)[number]
            void attempt(() => send({ params: { list }, body: { key: entry.key, tone } }))
          }}
        />
      )}
    </>
  )
}

function Remove({ list, entry, attempt }: EntryProps) {
  const { send, sending } = useSend(leadLists.remove, options)
  return (
    <ActionIcon
      variant="default"
      aria-label={`Remove ${entry.name}`}
      aria-disabled={entry.fixed !== null || sending}
      title={entry.fixed ?? undefined}
      data-disabled={entry.fixed !== null || undefined}
      onClick={() => entry.fixed === null && !sending && void attempt(() => send({ params: { list }, body: { key: entry.key } }))}
    >
      <IconTrash size={14} aria-hidden />
    </ActionIcon>
  )
}

function NewEntry({ list, attempt }: Pick<EntryProps, 'list' | 'attempt'>) {
  const [name, setName] = useState('')
  const { send, sending } = useSend(leadLists.add, options)
  const add = async (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '' && (await attempt(() => send({ params: { list }, body: { name } })))) setName('')
  }
  return (
    <form className={classes.new} aria-label={`New ${lists[list].one}`} onSubmit={(event) => void add(event)}>
      <TextInput
        size="xs"
        className={classes.name}
        aria-label={`Name of the new ${lists[list].one}`}
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
