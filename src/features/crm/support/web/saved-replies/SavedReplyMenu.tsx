import { useQueryClient } from '@tanstack/react-query'
import type { FilledReply } from '#features/crm/support/saved-replies.contract.ts'
import { AnswerPreview, ReplyPreview } from '#features/crm/support/web/saved-replies/InsertPreview.tsx'
import classes from '#features/crm/support/web/saved-replies/savedReplies.module.css'
import { usesText } from '#features/crm/support/web/saved-replies/savedReplyWords.ts'
import {
  answerOf,
  insertedOf,
  useInsertable,
  type Insertable,
  type ReplyTarget,
} from '#features/crm/support/web/saved-replies/useInsertable.ts'
import { ErrorState } from '#web/list/states.tsx'
import { logAndToast } from '#web/message/failures.ts'
import { Moment } from '#web/Moment.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import type { SlashMenu } from '#web/richtext/SlashEditor.tsx'
import { useMenuSelection } from '#web/richtext/useMenuSelection.ts'

interface Props extends SlashMenu {
  target: ReplyTarget
  /** Called with the saved reply that was inserted. */
  onInserted: (reply: FilledReply) => void
}

/**
 * The saved replies, and the published FAQs, that match what was typed after the slash, with the selected one as
 * it would be inserted.
 */
export default function SavedReplyMenu({ target, query, choose, keys, onInserted }: Props) {
  const client = useQueryClient()
  const found = useInsertable(target, query)
  const { all } = found
  const insert = async (one: Insertable) => {
    if (one.kind === 'reply') {
      const { data } = await client.fetchQuery<{ data: FilledReply }>(insertedOf(target, one.row.id))
      choose(data.content)
      onInserted(data)
    } else choose((await client.fetchQuery(answerOf(one.row.id))).data.content)
  }
  const isNumbered = query !== ''
  const index = useMenuSelection({ query, keys }, all, (key, one) => {
    const numbered = isNumbered && /^[1-9]$/.test(key) ? all[Number(key) - 1] : undefined
    if (numbered) insert(numbered).catch(logAndToast)
    else if (key === 'Enter' || key === 'Tab') insert(one).catch(logAndToast)
    else return false
    return true
  })
  const selected = all[index]
  return (
    // The editor keeps the focus.
    <section
      className={classes.menu}
      aria-label="Saved replies"
      onMouseDown={(event) => event.preventDefault()}
    >
      <div className={classes.found}>
        {found.error ? (
          <ErrorState error={found.error} onRetry={found.retry} />
        ) : all.length === 0 ? (
          <Soft role="status">
            {found.isLoading ? 'Loading saved replies…' : 'No saved replies or FAQs match.'}
          </Soft>
        ) : (
          <Found
            all={all}
            selected={selected}
            query={query}
            onChoose={(one) => void insert(one).catch(logAndToast)}
          />
        )}
      </div>
      {selected && <Preview key={keyOf(selected)} target={target} one={selected} />}
      <p className={classes.keys}>↑ ↓ to select, Enter or Tab to insert, Esc to close</p>
    </section>
  )
}

const keyOf = ({ kind, row }: Insertable) => `${kind}-${row.id}`

interface FoundProps {
  all: readonly Insertable[]
  selected: Insertable | undefined
  query: string
  onChoose: (one: Insertable) => void
}

/** The texts that match, by kind; the digit of each inserts it, once something was typed after the slash. */
function Found({ all, selected, query, onChoose }: FoundProps) {
  const of = query === '' ? '' : ` for “${query}”`
  const groups = [
    ['reply', `Saved replies${of}`],
    ['faq', `FAQs${of}`],
  ] as const
  return (
    <div role="listbox" aria-label="Saved replies and FAQs">
      {groups.map(
        ([kind, name]) =>
          all.some((one) => one.kind === kind) && (
            <div key={kind} role="group" aria-label={name}>
              <h4 aria-hidden>{name}</h4>
              <ul role="presentation">
                {all.map(
                  (one, index) =>
                    one.kind === kind && (
                      <li
                        key={keyOf(one)}
                        role="option"
                        aria-selected={one === selected}
                        aria-keyshortcuts={query === '' ? undefined : String(index + 1)}
                        onClick={() => onChoose(one)}
                      >
                        <Line one={one} />
                        {query !== '' && <kbd aria-hidden>{index + 1}</kbd>}
                      </li>
                    ),
                )}
              </ul>
            </div>
          ),
      )}
    </div>
  )
}

const Line = ({ one }: { one: Insertable }) =>
  one.kind === 'reply' ? (
    <>
      <strong>{one.row.name}</strong>
      <Soft as="span" small>
        {one.row.is_shared ? 'Everyone' : 'Only me'} · {usesText(one.row.uses)}
      </Soft>
    </>
  ) : (
    <>
      <strong>{one.row.title}</strong>
      <Soft as="span" small>
        Published <Moment at={one.row.published_at} />
      </Soft>
    </>
  )

const Preview = ({ target, one }: { target: ReplyTarget; one: Insertable }) =>
  one.kind === 'reply' ? <ReplyPreview row={one.row} target={target} /> : <AnswerPreview row={one.row} />
