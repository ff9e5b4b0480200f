import { useState } from 'react'
import { Button, TextInput } from '@mantine/core'
import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import classes from '#features/crm/leads/record/web/leadForm.module.css'
import { useMay, useSend } from '#web/api/useSend.ts'

/** Field for creating a tag in place and selecting it. */
export function NewTag({ onMade }: { onMade: (id: number) => void }) {
  const [name, setName] = useState('')
  const { send, sending } = useSend(leadOperations.createTag)
  if (!useMay(leadOperations.createTag, { body: { name: '' } })) return null

  async function make(): Promise<void> {
    if (!name.trim()) return
    const reply = await send({ body: { name } })
    if (!reply) return
    setName('')
    onMade(reply.data.id)
  }

  return (
    <span className={classes.newTag}>
      <TextInput
        size="xs"
        w={130}
        aria-label="New tag"
        placeholder="New tag"
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
          // Enter must not submit the surrounding form.
          event.preventDefault()
          void make()
        }}
      />
      <Button
        size="xs"
        variant="default"
        loading={sending}
        disabled={!name.trim()}
        onClick={() => void make()}
      >
        Add
      </Button>
    </span>
  )
}
