"""The tolerant reader of a model's answer to “who speaks next?”."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import json_repair

from chathistory.director.phrases import KIN
from chathistory.domain import END
from chathistory.text import NameReader, fold_name
from chathistory.text.name_forms import Named
from chathistory.text.names import honorific_end, quotations

_TAG = r"(?:think|thinking|reasoning|reason|thought|thoughts|analysis|reflection)"
_PAIRED = re.compile(rf"<{_TAG}\b[^>]*>.*?</{_TAG}\s*>", re.S | re.I)
_CLOSED_ONLY = re.compile(rf"^.*</{_TAG}\s*>", re.S | re.I)
_NEVER_CLOSED = re.compile(rf"<{_TAG}\b[^>]*>.*$", re.S | re.I)
_FENCE = re.compile(r"```[a-zA-Z]*\n?|```|~~~")
_MARKS = " \t\r\n\u3000*_`#>~-—–=|·•“”‘’\"'「」『』【】《》〈〉[]()（）{}<>。.,，、!！?？:：;；@＠→…"
_KEYS = (
    "next next_speaker nextspeaker next_person speaker speaker_name name choice chosen selected selection select answer pick who person character "
    "role result decision output final number index id no num "
    "下一位 下一个 下一位发言者 下一位发言人 下一个发言者 下一个发言人 发言者 发言人 说话人 说话者 选择 人物 姓名 名字 角色 答案 结果 决定 编号 序号 号码"
).split()
_REASONS = frozenset("reason reasoning why thought thoughts explanation analysis rationale comment 理由 原因 分析 思考 说明 解释".split())
_ENDING_KEYS = frozenset("end should_end is_end should_stop end_conversation is_finished finished done stop terminate over 结束 是否结束".split())

_END_WORD = re.compile(r"(?<![A-Za-zＡ-Ｚａ-ｚ])(?:END|ＥＮＤ|TERMINATE|STOP)(?![A-Za-z])")
_END_ALONE = re.compile(
    r"(?:the )?(?:end|end of (?:the )?(?:conversation|discussion|dialogue)|ended|stop|terminate|terminated|finish|finished|none|nobody|no one|no-one|no speaker|"
    r"(?:结束|终止|停止)(?:对话|讨论|谈话|会话|聊天|本轮|发言|话题)?|(?:无需|不必|不用|不需要)继续|完|完毕|无|没有|没有人|没人|无人|暂无|不需要|无需|散会|到此为止)(?:了|吧)?"
)
_END_PHRASE = re.compile(
    r"(?:(?:对话|讨论|谈话|会话|聊天|话题|发言|交流|本轮|这轮|这一轮|本轮对话|群聊)(?:可以|应该|应当|应|到此|就此|到这里|已经|已|该|宜|便|都|也|就|即可)*(?:结束|终止|停止|告一段落|为止|收尾|完毕)"
    r"|(?:可以|应该|应当|应|到此|就此|选择|建议|该|直接)(?:先)?(?:结束|终止)(?!.{0,4}发言权)|到此为止"
    r"|(?:没有|没|无|不再有)(?:任何)?(?:别的|其他)?人(?:还|再)?(?:需要|要|想|应该|应|可以|该|适合|能)?(?:再|继续)?(?:发言|说话|回答|回应|接话|补充|说)"
    r"|(?:无需|不需要|不用|不必|毋需)(?:有|让|由)?(?:任何|其他|别的)?(?:人|人物|角色|谁)?(?:再|继续|来)*(?:发言|说话|回答|回应|接话|补充|人)"
    r"|没有?(?:人|谁)需要|交还?给用户|等待用户|把话?(?:语权)?还给用户"
    r"|\b(?:nobody|no one|none) (?:needs?|should|has|wants?|else)\b|\bno (?:further|more) (?:speaker|reply|response)|\b(?:conversation|discussion|dialogue) (?:is over|ends|has ended|should end|can end|is finished))"
)
_END_DENIED = re.compile(r"(?:不|没|未|尚未|别|勿|不能|不应|不该|还不|并未|\bnot|n't)(?:是|能|应该?|可以|要|急于|到|会|to|be)*[“”\s]*$")
_NEVER_ENDS = re.compile(r"(?:不能|不应该?|不该|不要|还没有?|尚未|不可|未|别|没有)(?:就此|到此|现在|马上|立刻|先)?(?:结束|终止)")

_REJECT_BEFORE = re.compile(
    r"(?:上一?[位个](?:发言|说话)?(?:者|人)?[是为：:]+|优先于|优于|胜过|强于|次选|其次是?|备选|不(?:是|应该?是?|该|能|宜|要|可|选|由|让|再|必|需要|太?适合|会是|需|用|建议|推荐|考虑)+(?:由|让|选择?|请|再?由|给|轮到|是|问)?|而不?非|并非|绝非|而不是|别选|别让|除了?|除去|排除|跳过|避开|禁止|没有?选|没有?(?:提到|点名|问)|"
    r"(?:先)?(?:考虑(?:到|过)?|想到|本来想选?|本想选?|原本(?:想|是)?|(?:一开始|起初|最初|本来|原先)[^，。]{0,6}|与其(?:让|由|请|选)?|比起?|相比(?:于|之下)?|较之|相较于?|随后|然后|之后|接着|后|再)(?:由|是|让|请|选)?|"
    r"\bnot|\binstead of|\brather than|\bexcept|\bbut not|\bwithout|\bthan|\bover|\bexclud(?:e|ing)|\bafter|\bthen|\bskip|\bprevious speaker (?:is|was))[“\"'（(\s]*$"
)
_REJECT_AFTER = re.compile(
    r"^(?:\s|先生|都|也|已经?|刚刚?|刚才|方才|才|现在|目前|并|又|此时|还|虽然?|本来|尽管|他|就|最近)*"
    r"(?:不(?!如由)(?:合适|适合|行|对|在|懂|擅长|能|可|应|该|宜|是|必|用|需要|便|了解|熟|知道|太|方便|想|如|够)|没有?(?:被)?(?:问|点|提|轮|必要|在线|资格)|(?:只|仅|就)?(?:是|算)?(?:被)?(?:提到|提及|谈论|话题|引用)|未被|无需|无法|离线|下线|被禁言|禁言|"
    r"(?:说|发言|讲|回答|答|谈|发过言|表态|解释|阐述|聊|回应)(?:过|完|毕)|(?:刚刚?|刚才|已经?)(?:经)?(?:发言|回答|说|讲|答|表态)|除外|以外|之外|(?:可以?|能|再|也可以?)?(?:随后|稍后|之后|然后|后面|下一轮)|可以?接着|(?:可以|可)?再?补充|的(?:话|问题|回答|发言)?(?:已|刚)|"
    r"更?不(?:合适|适合)|次之)"
    r"|^ ?(?:has |have |had )?(?:just |already |recently )?(?:spoke|spoken|said|answered|talked|replied)|^ ?(?:is|was|are) (?:only |merely |just )?(?:not|mentioned|offline|muted|absent|unavailable|excluded|less)|^ ?(?:isn't|wasn't|can't|cannot|shouldn't|should not|doesn't|may follow|later)"
)
_CORRECTION = re.compile(
    r"(?:^|[，。…！？!?.,\s—;；])(?:不对|不，|不,|不。|不！|等等|等一下|且慢|更正|修正|纠正|我错了|错了|应改为|改为|还是算了|哦不|噢不|再想想|重新考虑|no[,. ]|no$|wait\b|actually\b|correction\b|on second thought|scratch that)"
)
_STRONG_BEFORE = re.compile(
    r"(?:应?由|应该?(?:是|选|由|让|请)?|选择?|选定|我选|轮到|该|让|请|邀请|有请|建议(?:由|让|选|请)?|推荐(?:由)?|(?:下一?[位个])?(?:发言|说话|回答)(?:者|人)?(?:应该?|应当|将|就)?[是为:：]+|下一?[位个][是为:：]*|"
    r"(?:结论|答案|最终选择|最终答案|最终|选择|结果|决定|回答|输出|人选)(?:是|为)?[:：]+|而是|改为|换成|换|改选|决定是?|首选|先|指定|倾向于?|偏向于?|看好|认为|觉得|(?:所以|因此|那么|那就|于是|故而?|therefore|thus|hence|\bso)[,，:：]?|点名的?问?的?是|点名|问的是|交给|归|不如|(?<!还)是|^还是|"
    r"\banswer(?: is)?[: ]+|\bspeaker(?: is| should be|:| =)+|\bchoose|\bselect|\bpick|\bshould be|\bmust be|\bwill be|\bnext(?: is|:| up)*|\bgo with|\bbut|\bturn(?: to| of)?|\blet|\bfor|\bto|\bis|→|->|=>)[“”「『《【*`\"'（(\s:：]*$"
)
_STRONG_AFTER = re.compile(
    r"^[”」』》】*`\"'）)\s]*(?:先生)?(?:比[^，。]{1,8})?(?:来|应该?|先|将|会|可以|去|继续|接着|最|更|比较|才|要|需要|该|更为|最为|是最|就|第一个)*"
    r"(?:发言|回答|回应|来说|来讲|来答|来谈|说话|接话|接着说|合适|适合|恰当|更?好|优先|懂|熟悉|擅长|对口|内行|开口|作答|出面|发话|讲话|登场|来吧|来$|说吧|说$|上$|发表)"
    r"|^ ?(?:should|will|would|must|can|is (?:a |the )?(?:better|best|next|most)|speaks?\b|is (?:best|next|addressed|being asked)|to (?:speak|answer|reply)|'s turn|’s turn|next\b|fits|it is)"
)
_BETTER = re.compile(
    r"^[^，。；,;\n]{0,8}?(?:更|最)(?:为|是|加)?(?:合适|适合|恰当|好|佳|懂|熟悉|擅长|对口|内行|应|该|有)|^ ?(?:is|would be) (?:better|the best|more)"
)
_CHOSEN = re.compile(r"(?:最终|首选|而是|改为|还是|不如|结论|答案)[^，。；,;\n]{0,6}$")
_FINAL = re.compile(r"(?:最终|最后|结论|因此|所以|故而?|综上|总之|于是|therefore|\bso\b|thus|hence|final|conclusion|answer)")
_BECAUSE = re.compile(r"因为|因(?=[\u4e00-\u9fff])|由于|理由|原因|毕竟|既然|\bbecause\b|\bsince\b|\breason|\bas\b")
_CLAUSE = re.compile(r"[，。！？；：、,!?;:\n…（(）)/|]|\.(?=\s|$)|\s(?:或|or|and|vs)\s|或者?|——")
_BREAK = re.compile(r"[，。！？；：,!?;:\n…（(）)]|\.(?=\s|$)|——")
_NUMBER = re.compile(r"(?:选择|选项|选|编号|序号|答案|我选|第|no\.?|number|option|choice|answer|[:：\s#【\[(（*])*(\d{1,3})(?:\s*[号位项])?", re.I)
_LONGER_NAME = re.compile(r"[\u4e00-\u9fff]{2}(?![说吧呢啊来去讲谈答先上的了吗呀也在是老兄公哥君行好])[\u4e00-\u9fff]")
"""Two characters of a name and a third that no answer would put there: somebody else (李白石)."""
_FULL_STOP = re.compile(r"[”」』》】*`\"'）)\s]*(?:[。\n]|\.(?=\s|$))")
_SO = re.compile(r"^(?:所以|因此|那么?|故而?|于是|应该?|可以|就|应当|请|我?选择?|直接|便|则)+")
_SEVERAL_NUMBERS = re.compile(r"\d\s*(?:or|and|或者?|和|与|跟|、|/|,|，)\s*\d")
_OUTSIDER = re.compile(r"(?:应?由|轮到|请|让|选择?)([\u4e00-\u9fff·]{2,6}?)(?:先生|女士)?(?:来|先|继续)*(?:发言|回答|说话|接话|作答|说|讲)")


@dataclass(frozen=True, slots=True)
class _Item:
    name: str
    strong: bool
    best: bool
    rejected: bool
    bare: bool
    start: int
    end: int


def strip_reasoning(raw: str) -> str:
    """Return the answer without reasoning: paired tags, all before a closing tag alone, all after one never closed."""
    text = _PAIRED.sub("", raw.translate({0xFF1C: "<", 0xFF1E: ">", 0xFF0F: "/"}))
    text = _CLOSED_ONLY.sub("", text)
    return _NEVER_CLOSED.sub("", text).strip()


def read_choice(raw: str, roster: Sequence[Named], numbered: bool = False) -> str | None:
    """Return the one canonical name an answer chooses, ``END``, or None when it names nobody usable.

    Parameters
    ----------
    raw
        The model's answer as it came: reasoning tags, fences, JSON, prose, any script.
    numbered
        Whether the choices were shown as a list: then 1..len(roster) stands for a member and 0 for END.
    """
    text = strip_reasoning(raw)
    reader = NameReader(roster)
    if not text.strip(_MARKS):
        return None
    value, found = _json_value(text)
    if found:
        if value is None or isinstance(value, bool):
            return END if value is True else None
        text = str(value)
        if isinstance(value, int):
            return _by_number(value, roster) if numbered else None
    text = _FENCE.sub("", re.sub(r"</?(?!end\b|END\b)[a-zA-Z_]+>", " ", text)).strip()
    return _read_prose(text, reader, roster, numbered)


def _read_prose(text: str, reader: NameReader, roster: Sequence[Named], numbered: bool) -> str | None:
    bare = text.strip(_MARKS)
    if not bare or fold_name(bare) in ("null", "undefined", "unknown", "用户", "user"):
        return None
    whole = reader.resolve(bare)
    if whole:
        return whole
    if _END_ALONE.fullmatch(fold_name(bare)):
        return END
    if _LONGER_NAME.fullmatch(fold_name(bare)) and any(m.start == 0 and m.end == 2 for m in reader.mentions(bare)):
        return None
    folded = _mask_quotes(text, reader)
    items = _items(folded, text, reader)
    if numbered:
        match = _NUMBER.match(folded.strip())
        if re.match(r"[-−]\d", folded.strip()) or _SEVERAL_NUMBERS.search(_BECAUSE.split(folded)[0]):
            return None
        if match:
            rest = folded.strip()[match.end() :].lstrip(" .。、)）】]:：")
            here = [i for i in items if i.bare or rest.startswith(fold_name(i.name))]
            if not here or _BECAUSE.search(rest):
                return _by_number(int(match.group(1)), roster)
        elif not items:
            number = re.search(r"(?<!\d)(\d{1,3})(?!\d)", folded)
            if number:
                return _by_number(int(number.group(1)), roster)
    return _decide(items, folded)


def _items(folded: str, text: str, reader: NameReader) -> list[_Item]:
    """Names and endings of the text in order, each judged by its own clause."""
    spans = [(m.start, honorific_end(folded, m.end), m.name) for m in reader.mentions(text) if not m.quoted]
    spans += [(m.start(), m.end(), END) for m in _END_WORD.finditer(text)]
    spans += [(m.start(), m.end(), END) for m in _END_PHRASE.finditer(folded)]
    spans += _ending_clauses(folded)
    spans.sort()
    corrections = [m.end() for m in _CORRECTION.finditer(folded)]
    outsider = [m for m in _OUTSIDER.finditer(folded) if not any(m.start(1) <= s < m.end(1) for s, _, _ in spans)]
    items: list[_Item] = []
    for k, (start, end, name) in enumerate(spans):
        left_break = max((m.end() for m in _CLAUSE.finditer(folded, 0, start)), default=0)
        soft_break = max((m.end() for m in _BREAK.finditer(folded, 0, start) if m.group() not in ":："), default=0)
        right = _CLAUSE.search(folded, end)
        right_end = right.start() if right else len(folded)
        left = folded[soft_break:start]
        after = folded[end : _group_end(folded, spans, k)] if name != END else folded[end:right_end]
        bare = not folded[left_break:start].strip(_MARKS) and not folded[end:right_end].strip(_MARKS)
        if name == END:
            rejected = bool(_END_DENIED.search(left)) or bool(_NEVER_ENDS.search(folded[left_break : right_end]))
            strong = not rejected
        else:
            tail = _tail_after_group(folded, spans, k)
            rejected = bool(_REJECT_BEFORE.search(left)) or bool(_REJECT_AFTER.match(tail)) or bool(KIN.match(tail))
            strong = not rejected and bool(_STRONG_BEFORE.search(left) or _STRONG_AFTER.match(after))
        rejected = rejected or any(start < c and not any(start < s < c and n == name for s, _, n in spans) for c in corrections)
        best = not rejected and (bool(_BETTER.match(after)) or bool(_CHOSEN.search(left)))
        items.append(_Item(name, strong and not rejected, best, rejected, bare, start, end))
    if outsider and not any(item.strong for item in items):
        return [_Item(i.name, False, False, True, i.bare, i.start, i.end) for i in items]
    return items


def _ending_clauses(folded: str) -> list[tuple[int, int, str]]:
    """Clauses that are nothing but an ending: 结束吧."""
    spans, start = [], 0
    for stop in [*(m.start() for m in _BREAK.finditer(folded)), len(folded)]:
        clause = folded[start:stop]
        inner = _SO.sub("", clause.strip(_MARKS))
        if (len(inner) > 1 or folded[max(0, start - 1) : start] in (":", "：")) and inner and _END_ALONE.fullmatch(inner) and inner not in ("没有", "stop", "none"):
            at = start + clause.index(inner)
            spans.append((at, at + len(inner), END))
        start = stop + 1
    return spans


def _group_end(folded: str, spans: list[tuple[int, int, str]], k: int) -> int:
    right = _CLAUSE.search(folded, spans[k][1])
    return right.start() if right else len(folded)


def _tail_after_group(folded: str, spans: list[tuple[int, int, str]], k: int) -> str:
    """What follows a name, or follows the list of names it is part of (孔子和墨子都不合适)."""
    end = spans[k][1]
    for start, stop, _ in spans[k + 1 :]:
        if not re.fullmatch(r"\s*(?:[、和与跟及/,，]|还有|以及|and|or|或者?)?\s*", folded[end:start]):
            break
        end = stop
    right = _BREAK.search(folded, end)
    return folded[end : right.start() if right else len(folded)]


def _decide(items: list[_Item], folded: str) -> str | None:
    live = [item for item in items if not item.rejected]
    if not live:
        return None
    if live[0].name == END and not folded[: live[0].start].strip(_MARKS):
        return END
    first = live[0]
    opens = first.bare and not folded[: first.start].strip(_MARKS)
    if opens and len({item.name for item in live if item.bare}) == 1 and _FULL_STOP.match(folded, first.end):
        return first.name
    strong = list(dict.fromkeys(item.name for item in live if item.strong))
    if len(strong) == 1:
        return strong[0]
    if len(strong) > 1:
        best = list(dict.fromkeys(item.name for item in live if item.best))
        if len(best) == 1:
            return best[0]
        finals = [m.start() for m in _FINAL.finditer(folded)]
        late = list(dict.fromkeys(i.name for i in live if i.strong and finals and i.start > finals[-1]))
        if len(late) == 1:
            return late[0]
        because = _BECAUSE.search(folded)
        early = list(dict.fromkeys(i.name for i in live if i.strong and because and i.start < because.start()))
        return early[0] if len(early) == 1 else None
    if len({item.name for item in live if item.bare}) > 1:
        return None
    head = re.split(r"[。！!？?\n；;：:，,]|\.(?=\s|$)|因为|由于|理由|because|since", folded, maxsplit=1)
    in_head = list(dict.fromkeys(i.name for i in live if i.start < len(head[0])))
    if len(in_head) == 1 and live[0].bare:
        return in_head[0]
    lines = [line for line in re.finditer(r"[^\n]+", folded) if line.group().strip(_MARKS)]
    if len(lines) > 1:
        last = lines[-1]
        closing = [i for i in live if i.start >= last.start()]
        if len({i.name for i in closing}) == 1 and closing[0].bare:
            return closing[0].name
    if len(in_head) == 1:
        return in_head[0]
    names = {item.name for item in live}
    return live[0].name if len(names) == 1 else None


def _mask_quotes(text: str, reader: NameReader) -> str:
    """Folded text in which quotations are blanked, unless they hold just a name or an ending."""
    chars = list(fold_name(text))
    for start, end in quotations(text):
        inside = text[start:end]
        if reader.resolve(inside) or fold_name(inside).strip() in ("end", "结束"):
            continue
        chars[start:end] = "\u2061" * (end - start)
    return "".join(chars)


def _by_number(number: int, roster: Sequence[Named]) -> str | None:
    if number == 0:
        return END
    return roster[number - 1].name if 1 <= number <= len(roster) else None


def _json_value(text: str) -> tuple[Any, bool]:
    """Return (the chosen value, whether the answer is JSON at all)."""
    body = _FENCE.sub("", text).strip()
    start = re.search(r"[{\[]", body)
    if body.startswith('"') and body.endswith('"') and len(body) > 1 and body.count('"') == 2:
        return body[1:-1], True
    if not start or not re.search(r"[\"':：]", body[start.start() :]):
        return None, False
    if body[start.start()] == "[" and start.start() > 0:
        brace = body.find("{")
        if brace < 0:
            return None, False
        piece = body[brace:]
    else:
        piece = body[start.start() :]
    try:
        data, _ = json.JSONDecoder().raw_decode(piece)
    except json.JSONDecodeError:
        data = json_repair.loads(piece)
    while isinstance(data, list) and len(data) == 1:
        data = data[0]
    if isinstance(data, dict):
        return _from_object(data), True
    if isinstance(data, str | int) and body[start.start()] == "[":
        return data, True
    return None, False


def _from_object(data: dict[Any, Any]) -> Any:
    """The value that names the choice: a known key, else the only value that is no reason."""
    folded = {fold_name(str(key)).strip().replace("-", "_").replace(" ", "_"): value for key, value in data.items()}
    if any(folded.get(key) is True for key in _ENDING_KEYS):
        return True
    for key in _KEYS:
        if key in folded or key + "s" in folded:
            value = folded.get(key, folded.get(key + "s"))
            while isinstance(value, list) and len(value) == 1:
                value = value[0]
            if value is not None:
                return _from_object(value) if isinstance(value, dict) else value
    rest = [value for key, value in folded.items() if key not in _REASONS and isinstance(value, str | int | dict)]
    if len(rest) == 1 and (isinstance(rest[0], dict) or len(str(rest[0])) <= 20):
        return _from_object(rest[0]) if isinstance(rest[0], dict) else f"{next(k for k, v in data.items() if v is rest[0])}：{rest[0]}"
    return None
