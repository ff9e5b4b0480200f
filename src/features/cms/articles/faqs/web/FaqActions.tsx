import { useState } from 'react'
import IconGripVertical from '@tabler/icons-react/dist/esm/icons/IconGripVertical.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { faqs, type FaqRow } from '#features/cms/articles/faqs/contract.ts'
import classes from '#features/cms/articles/faqs/web/faqs.module.css'
import { policies, whyNot } from '#features/cms/articles/rules.ts'
import { showPublished } from '#features/cms/articles/shared/web/PublishedState.tsx'
import { useMay, useSend } from '#web/api/useSend.ts'
import { RowAction } from '#web/list/cells.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { useViewer } from '#web/session.ts'

/** Replies that show an FAQ. */
const faqReplies = [faqs.list, faqs.unpublished, faqs.byCategory, faqs.show]

interface Props {
  faq: Pick<FaqRow, 'id' | 'title' | 'published' | 'author' | 'moderated'>
}

/** Returns why the viewer cannot perform an action on an FAQ, naming who can; undefined if they can. */
export function useWhyNotFaq(
  policy: Parameters<typeof whyNot>[0],
  { author, moderated }: Props['faq'],
): string | undefined {
  return whyNot(policy, useViewer(), { author_id: author.id, moderated })
}

/** Button that publishes or unpublishes an FAQ. */
export function PublishFaq({ faq }: Props) {
  const queries = useQueryClient()
  const on = faq.published === 0
  const input = {
    params: { slug: String(faq.id) },
    query: { action: on ? ('publish' as const) : ('unpublish' as const) },
  }
  const { announceAct } = useUndo()
  const { send, sending } = useSend(faqs.publishing, {
    onDone: ({ message, operation, data }) => {
      showPublished(queries, faqReplies, data)
      announceAct(message, operation)
    },
  })
  const why = useWhyNotFaq(policies.faq.publish, faq)
  if (!useMay(faqs.publishing, input)) return null
  return (
    <RowAction
      whyNot={why}
      disabled={sending}
      onClick={() => void send(input)}
      aria-label={`${on ? 'Publish' : 'Unpublish'} ${faq.title}`}
    >
      {on ? 'Publish' : 'Unpublish'}
    </RowAction>
  )
}

/** Button that moves an FAQ to the trash. */
export function DeleteFaq({ faq, onDone }: Props & { onDone?: () => void }) {
  const input = { params: { slug: String(faq.id) } }
  const { announceAct } = useUndo()
  const { send, sending } = useSend(faqs.remove, {
    onDone: ({ message, operation }) => {
      announceAct(message, operation)
      onDone?.()
    },
  })
  const why = useWhyNotFaq(policies.faq.remove, faq)
  if (!useMay(faqs.remove, input)) return null
  return (
    <RowAction
      whyNot={why}
      disabled={sending}
      onClick={() => void send(input)}
      aria-label={`Move to trash: ${faq.title}`}
    >
      Move to trash
    </RowAction>
  )
}

/** The FAQ being dragged within this page. */
const dragged: { id?: number; category_id?: number } = {}

/** How long a dragged FAQ must hover over a pager button before the page turns, in milliseconds. */
const turnMs = 600

/**
 * Turns the page when an FAQ is dragged over a pager button, so that the FAQ can be dropped on another page.
 */
function turnPagesWhileDragging(): void {
  let over: Element | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = ({ target }: DragEvent) => {
    const button =
      target instanceof Element ? target.closest<HTMLElement>('button[aria-label$=" page"]') : null
    if (button === over) return
    over = button
    clearTimeout(timer)
    timer = button ? setTimeout(() => button.click(), turnMs) : undefined
  }
  const end = () => {
    clearTimeout(timer)
    document.removeEventListener('dragover', look)
  }
  document.addEventListener('dragover', look)
  // The source row may be unmounted by then, so listen on the document for the end of the drag.
  for (const name of ['dragend', 'drop', 'pointerdown'])
    document.addEventListener(name, end, { once: true, capture: true })
}

/**
 * Position of an FAQ in its category. Can be changed by entering a number, by dragging the FAQ onto another
 * one, or with the arrow keys on the handle.
 */
export function FaqPlace({ faq }: { faq: FaqRow }) {
  const [typed, setTyped] = useState<string>()
  const [isOver, setOver] = useState(false)
  const { announceAct } = useUndo()
  const { send, sending } = useSend(faqs.move, {
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const why = useWhyNotFaq(policies.faq.move, faq)
  const may = useMay(faqs.move, { params: { slug: String(faq.id) }, body: { order_number: 1 } })
  if (!may) return faq.order_number
  const move = (id: number, order_number: number) =>
    void send({ params: { slug: String(id) }, body: { order_number } })

  function moveToTyped(): void {
    const wanted = Number(typed)
    setTyped(undefined)
    if (typed !== undefined && Number.isInteger(wanted) && wanted > 0 && wanted !== faq.order_number)
      move(faq.id, wanted)
  }

  const canDrop = () => dragged.category_id === faq.category_id && dragged.id !== faq.id
  return (
    <span className={classes.place}>
      <button
        type="button"
        className={classes.handle}
        draggable={why === undefined}
        data-over={isOver || undefined}
        aria-disabled={why !== undefined || undefined}
        aria-label={`Move ${faq.title}. Use the up and down arrow keys.`}
        title={why ?? 'Drag or use the arrow keys to reorder. Hold it over a page button to change pages.'}
        onDragStart={(event) => {
          Object.assign(dragged, { id: faq.id, category_id: faq.category_id })
          event.dataTransfer.setData('text/plain', faq.title)
          turnPagesWhileDragging()
        }}
        onDragOver={(event) => {
          if (!canDrop()) return
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          if (canDrop()) move(dragged.id!, faq.order_number)
        }}
        onKeyDown={(event) => {
          const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
          if (step === 0 || why !== undefined) return
          event.preventDefault()
          event.stopPropagation()
          if (!sending && faq.order_number + step > 0) move(faq.id, faq.order_number + step)
        }}
      >
        <IconGripVertical size={14} aria-hidden />
      </button>
      <input
        className={classes.number}
        inputMode="numeric"
        aria-label={`Position of ${faq.title}`}
        title={why}
        readOnly={why !== undefined}
        value={typed ?? faq.order_number}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={moveToTyped}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.key === 'Enter') moveToTyped()
          if (event.key === 'Escape') setTyped(undefined)
        }}
      />
    </span>
  )
}
