import { useEffect, useState, type ComponentProps } from 'react'
import { Mention } from '@tiptap/extension-mention'
import { renderMenu, type EditorMenu } from '#web/richtext/editorMenu.ts'
import { RichTextEditor } from '#web/richtext/RichTextEditor.tsx'
import type { Mentioned, RichTextFieldProps } from '#web/richtext/RichTextField.tsx'
import classes from '#web/richtext/text.module.css'
import { useMenuSelection } from '#web/richtext/useMenuSelection.ts'

type FindStaff = NonNullable<RichTextFieldProps['findStaff']>
type Menu = EditorMenu<{ id: string; label: string }>

interface Props extends ComponentProps<typeof RichTextEditor> {
  findStaff?: FindStaff
}

/** The editor with mentions, which load only with fields that have them. */
export function MentionEditor({ findStaff, ...props }: Props) {
  const [menu, setMenu] = useState<Menu>()
  const [mentions] = useState(() => mentionsWith(setMenu))
  return (
    <>
      <RichTextEditor {...props} extension={mentions} hasMentions />
      {menu && findStaff && <PeopleMenu {...menu} findStaff={findStaff} />}
    </>
  )
}

const mentionsWith = (show: (menu: Menu | undefined) => void) =>
  Mention.extend({
    parseHTML: () => [
      {
        tag: 'span[data-mention]',
        getAttrs: (element) => ({
          id: element.getAttribute('data-mention'),
          label: element.textContent?.replace(/^@/, '') ?? '',
        }),
      },
    ],
  }).configure({
    renderText: ({ node }) => `@${String(node.attrs['label'])}`,
    renderHTML: ({ node }) => [
      'span',
      { 'data-mention': String(node.attrs['id']) },
      `@${String(node.attrs['label'])}`,
    ],
    suggestion: { render: renderMenu(show) },
  })

const mostShown = 8

/** The admin users whose names start with what was typed, below the text. */
function PeopleMenu({ query, choose, place, keys, findStaff }: Menu & { findStaff: FindStaff }) {
  const [people, setPeople] = useState<readonly Mentioned[]>([])
  useEffect(() => {
    let isCurrent = true
    void findStaff(query).then((found) => {
      if (isCurrent) setPeople(found.slice(0, mostShown))
    })
    return () => {
      isCurrent = false
    }
  }, [findStaff, query])
  const mention = ({ id, name }: Mentioned) => choose({ id: String(id), label: name })
  const selected = useMenuSelection({ query, keys }, people, (key, one) => {
    if (key !== 'Enter' && key !== 'Tab') return false
    mention(one)
    return true
  })
  if (!place || people.length === 0) return null
  const at = {
    left: Math.min(place.left, window.innerWidth - 200),
    top: Math.min(place.bottom + 4, window.innerHeight - 230),
  }
  return (
    <ul className={classes.people} style={at} role="listbox" aria-label="Staff">
      {people.map((one, index) => (
        <li
          key={one.id}
          className={classes.person}
          role="option"
          aria-selected={index === selected}
          onMouseDown={(event) => {
            event.preventDefault()
            mention(one)
          }}
        >
          {one.name}
        </li>
      ))}
    </ul>
  )
}
