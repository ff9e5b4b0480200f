import { Suspense, useState } from 'react'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { groupText, type AnyGroups, type ChosenGroups } from '#web/filter/groupFilter.tsx'
import classes from '#web/filter/groups.module.css'
import { lazyPart } from '#web/shell/lazy.tsx'

const GroupDialog = lazyPart(() => import('#web/filter/GroupDialog.tsx'))

/** The groups of a list as items of its chips: a click on a group edits it. */
export default function GroupChips({ chosen, onChange, ...of }: AnyGroups & ChosenGroups) {
  /** Index of the group that is edited; that of a new group is behind the last one. */
  const [edited, setEdited] = useState<number>()
  const remove = (index: number) => {
    const others = chosen.toSpliced(index, 1)
    onChange(others.length > 0 ? others : undefined)
  }
  return (
    <>
      {chosen.map((text, index) => {
        const words = groupText(of, text)
        return (
          // The button of a group that was edited keeps the focus.
          <li key={index} className={classes.item}>
            <span className={classes.word}>{index === 0 ? 'Any of' : 'or'}</span>
            <span className={classes.group}>
              <button
                type="button"
                className={classes.edit}
                title={words}
                aria-label={`Edit group ${words}`}
                aria-haspopup="dialog"
                onClick={() => setEdited(index)}
              >
                {words}
              </button>
              <button
                type="button"
                className={classes.remove}
                aria-label={`Remove group ${words}`}
                onClick={() => remove(index)}
              >
                <IconX size={12} aria-hidden />
              </button>
            </span>
          </li>
        )
      })}
      {chosen.length < of.groups.most && (
        <li>
          <button
            type="button"
            className={classes.add}
            aria-haspopup="dialog"
            onClick={() => setEdited(chosen.length)}
          >
            Add group
          </button>
        </li>
      )}
      {edited !== undefined && (
        <Suspense>
          <GroupDialog
            {...of}
            text={chosen[edited]}
            onSave={(text) => onChange(chosen.toSpliced(edited, 1, text))}
            onClose={() => setEdited(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}
