import { useRef, useState, type KeyboardEvent } from 'react'
import { Button } from '@mantine/core'
import IconAt from '@tabler/icons-react/dist/esm/icons/IconAt.mjs'
import { longestMessage, words } from '#features/panel/chat/contract.ts'
import classes from '#features/panel/chat/web/ChatPanel.module.css'
import type { Person } from '#web/composer/mentions.ts'
import { MentionText } from '#web/composer/MentionText.tsx'
import { dropDraft, keepDraft, readDraft } from '#web/form/draft.ts'
import { IconButton } from '#web/parts/controls.tsx'

const draftName = 'chat'

function draftedText(): string {
  const typed = readDraft(draftName)?.values['message']
  return typeof typed === 'string' ? typed : ''
}

interface Props {
  /** Those who can be mentioned. */
  people: readonly Person[]
  onSend: (text: string) => void
}

/** Message input whose text survives closing the tab. Enter sends; Shift+Enter inserts a line break. */
export function ChatComposer({ people, onSend }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [text, setText] = useState(() => draftedText())
  const isEmpty = text.trim() === ''

  function type(next: string): void {
    setText(next)
    if (next === '') dropDraft(draftName)
    else keepDraft(draftName, { message: next }, {})
  }

  function submit(): void {
    if (isEmpty) return
    onSend(text)
    type('')
  }

  function press(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    submit()
  }

  /** Types an @, which suggests people. */
  function mention(): void {
    const field = form.current!.querySelector('textarea')!
    const { selectionStart: start, selectionEnd: end } = field
    field.focus()
    field.setRangeText(/(^|\s)$/.test(text.slice(0, start)) ? '@' : ' @', start, end, 'end')
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }

  return (
    <form
      ref={form}
      className={classes.composer}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <MentionText
        label={words.placeholder}
        placeholder={words.placeholder}
        maxLength={longestMessage}
        people={people}
        value={text}
        onChange={type}
        onKeyDown={press}
      />
      <IconButton bare label="Mention someone" onClick={mention}>
        <IconAt size={16} stroke={1.6} aria-hidden />
      </IconButton>
      <span className={classes.hint}>Shift Enter for a new line</span>
      <Button type="submit" size="xs" disabled={isEmpty}>
        Send
      </Button>
    </form>
  )
}
