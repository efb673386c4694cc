"""The turns of phrase in which a model says who speaks next. Patterns over folded text (lower-case, Simplified)."""
# ruff: noqa: E501, SIM905

from __future__ import annotations

import re

FENCE = re.compile(r"```[a-zA-Z]*\n?|```|~~~")
MARKS = " \t\r\n\u3000*_`#>~-—–=|·•“”‘’\"'「」『』【】《》〈〉[]()（）{}<>。.,，、!！?？:：;；@＠→…"
KEYS = (
    "next next_speaker nextspeaker next_person speaker speaker_name name choice chosen selected selection select answer pick who person character "
    "role result decision output final number index id no num "
    "下一位 下一个 下一位发言者 下一位发言人 下一个发言者 下一个发言人 发言者 发言人 说话人 说话者 选择 人物 姓名 名字 角色 答案 结果 决定 编号 序号 号码"
).split()
REASONS = frozenset(
    "reason reasoning why thought thoughts explanation analysis rationale comment 理由 原因 分析 思考 说明 解释".split()
)
ENDING_KEYS = frozenset(
    "end should_end is_end should_stop end_conversation is_finished finished done stop terminate over 结束 是否结束".split()
)

END_WORD = re.compile(r"(?<![A-Za-zＡ-Ｚａ-ｚ])(?:END|ＥＮＤ|TERMINATE|STOP)(?![A-Za-z])")
END_ALONE = re.compile(
    r"(?:the )?(?:end|end of (?:the )?(?:conversation|discussion|dialogue)|ended|stop|terminate|terminated|finish|finished|none|nobody|no one|no-one|no speaker|"
    r"(?:结束|终止|停止)(?:对话|讨论|谈话|会话|聊天|本轮|发言|话题)?|(?:无需|不必|不用|不需要)继续|完|完毕|无|没有|没有人|没人|无人|暂无|不需要|无需|散会|到此为止)(?:了|吧)?"
)
END_PHRASE = re.compile(
    r"(?:(?:对话|讨论|谈话|会话|聊天|话题|发言|交流|本轮|这轮|这一轮|本轮对话|群聊)(?:可以|应该|应当|应|到此|就此|到这里|已经|已|该|宜|便|都|也|就|即可)*(?:结束|终止|停止|告一段落|为止|收尾|完毕)"
    r"|(?:可以|应该|应当|应|到此|就此|选择|建议|该|直接)(?:先)?(?:结束|终止)(?!.{0,4}发言权)|到此为止"
    r"|(?:没有|没|无|不再有)(?:任何)?(?:别的|其他)?人(?:还|再)?(?:需要|要|想|应该|应|可以|该|适合|能)?(?:再|继续)?(?:发言|说话|回答|回应|接话|补充|说)"
    r"|(?:无需|不需要|不用|不必|毋需)(?:有|让|由)?(?:任何|其他|别的)?(?:人|人物|角色|谁)?(?:再|继续|来)*(?:发言|说话|回答|回应|接话|补充|人)"
    r"|(?:请|让|轮到|该|由|等待?)用户(?:先|再|来|继续)*(?:说话|发言|开口|回答|接话|说)"
    r"|没有?(?:人|谁)需要|交还?给用户|等待用户|把话?(?:语权)?还给用户"
    r"|\b(?:nobody|no one|none) (?:needs?|should|has|wants?|else)\b|\bno (?:further|more) (?:speaker|reply|response)|\b(?:conversation|discussion|dialogue) (?:is over|ends|has ended|should end|can end|is finished))"
)
END_DENIED = re.compile(
    r"(?:不|没|未|尚未|别|勿|不能|不应|不该|还不|并未|\bnot|n't)(?:是|能|应该?|可以|要|急于|到|会|to|be)*[“”\s]*$"
)
NEVER_ENDS = re.compile(
    r"(?:不能|不应该?|不该|不要|还没有?|尚未|不可|未|别|没有)(?:就此|到此|现在|马上|立刻|先)?(?:结束|终止)"
)

REJECT_BEFORE = re.compile(
    r"(?:上一?[位个](?:发言|说话)?(?:者|人)?[是为：:]+|优先于|优于|胜过|强于|次选|其次是?|备选|不(?:是|应该?是?|该|能|宜|要|可|选|由|让|再|必|需要|太?适合|会是|需|用|建议|推荐|考虑)+(?:由|让|选择?|请|再?由|给|轮到|是|问)?|而不?非|并非|绝非|而不是|别选|别让|除了?|除去|排除|跳过|避开|禁止|没有?选|没有?(?:提到|点名|问)|"
    r"(?:先)?(?:考虑(?:到|过)?|想到|本来想选?|本想选?|原本(?:想|是)?|(?:一开始|起初|最初|本来|原先)[^，。]{0,6}|与其(?:让|由|请|选)?|比起?|相比(?:于|之下)?|较之|相较于?|随后|然后|之后|接着|后|再)(?:由|是|让|请|选)?|"
    r"\bnot|\binstead of|\brather than|\bexcept|\bbut not|\bwithout|\b(?:anyone|anybody|everyone|everybody|all) but|\bother than|\bthan|\bover|\bexclud(?:e|ing)|\bafter|\bthen|\bskip|\bprevious speaker (?:is|was))[“\"'（(\s]*$"
)
REJECT_AFTER = re.compile(
    r"^(?:\s|先生|都|也|已经?|刚刚?|刚才|方才|才|现在|目前|并|又|此时|还|虽然?|本来|尽管|他|就|最近)*"
    r"(?:不(?!如由)(?:合适|适合|行|对|在|懂|擅长|能|可|应|该|宜|是|必|用|需要|便|了解|熟|知道|太|方便|想|如|够)|没有?(?:被)?(?:问|点|提|轮|必要|在线|资格)|(?:只|仅|就)?(?:是|算)?(?:被)?(?:提到|提及|谈论|话题|引用)|未被|无需|无法|离线|下线|被禁言|禁言|"
    r"(?:说|发言|讲|回答|答|谈|发过言|表态|解释|阐述|聊|回应)(?:过|完|毕)|(?:刚刚?|刚才|已经?)(?:经)?(?:发言|回答|说|讲|答|表态)|(?:发过言|表过态|说过话|讲过话|开过口)|不相关|无关|除外|以外|之外|(?:可以?|能|再|也可以?)?(?:随后|稍后|之后|然后|后面|下一轮)|可以?接着|(?:可以|可)?再?补充|的(?:话|问题|回答|发言)?(?:已|刚)|"
    r"更?不(?:合适|适合)|次之)"
    r"|^ ?(?:has |have |had )?(?:just |already |recently )?(?:spoke|spoken|said|answered|talked|replied)|^ ?(?:is|was|are) (?:only |merely |just )?(?:not|mentioned|offline|muted|absent|unavailable|excluded|less)|^ ?(?:isn't|wasn't|can't|cannot|shouldn't|should not|doesn't|may follow|later)"
)
JOINERS = re.compile(r"[、和与跟及或/&|]|或者|还是|以及|\b(?:and|or|vs)\b")
ASIDE = re.compile(r"[”」』》】*`\"'）)\s]*[？?：:]\s*(?:他|她|此人|这位)?")
CORRECTION = re.compile(
    r"(?:^|[，。…！？!?.,\s—;；])(?:不对|不，|不,|不。|不！|等等|等一下|且慢|更正|修正|纠正|我错了|错了|应改为|改为|还是算了|[啊哦噢呃哎]，?不(?!是|用|过)|抱歉|对不起|说错|sorry\b|再想想|重新考虑|no[,. ]|no$|wait\b|actually\b|correction\b|on second thought|scratch that)"
)
STRONG_BEFORE = re.compile(
    r"(?:应?由|应该?(?:是|选|由|让|请)?|选择?|选定|我选|轮到|该|让|请|邀请|有请|建议(?:由|让|选|请)?|推荐(?:由)?|(?:下一?[位个])?(?:发言|说话|回答)(?:者|人)?(?:应该?|应当|将|就)?[是为:：]+|下一?[位个][是为:：]*|"
    r"(?:结论|答案|最终选择|最终答案|最终|选择|结果|决定|回答|输出|人选)(?:是|为)?[:：]+|而是|改为|换成|换|改选|决定是?|首选|先|指定|倾向于?|偏向于?|看好|认为|觉得|(?:所以|因此|那么|那就|于是|故而?|therefore|thus|hence|\bso)[,，:：]?|点名的?问?的?是|点名|问的是|交给|归|不如|(?<!还)是|^还是|"
    r"\banswer(?: is)?[: ]+|\bspeaker(?: is| should be|:| =)+|\bchoose|\bselect|\bpick|\bshould be|\bmust be|\bwill be|\bnext(?: is|:| up)*|\bgo with|\bbut|\bturn(?: to| of)?|\blet|\bfor|\bto|\bis|→|->|=>)[“”「『《【*`\"'（(\s:：]*$"
)
STRONG_AFTER = re.compile(
    r"^[”」』》】*`\"'）)\s]*(?:先生)?(?:比[^，。]{1,8})?(?:来|应该?|先|将|会|可以|去|继续|接着|最|更|比较|才|要|需要|该|更为|最为|是最|就|第一个)*"
    r"(?:发言|回答|回应|来说|来讲|来答|来谈|说话|接话|接着说|合适|适合|恰当|更?好|为(?:佳|宜|好|妥|先)|优先|懂|熟悉|擅长|对口|内行|开口|作答|出面|发话|讲话|登场|来吧|来$|说吧|说$|上$|发表)"
    r"|^ ?(?:should|will|would|must|can|is (?:a |the )?(?:better|best|next|most)|speaks?\b|is (?:best|next|addressed|being asked)|to (?:speak|answer|reply)|'s turn|’s turn|next\b|fits|it is)"
)
BETTER = re.compile(
    r"^为(?:佳|宜|好|妥|先)|^[^，。；,;\n]{0,8}?(?:更|最)(?:为|是|加)?(?:合适|适合|恰当|好|佳|懂|熟悉|擅长|对口|内行|应|该|有)|^ ?(?:is|would be) (?:better|the best|more)"
)
CHOSEN = re.compile(r"(?:最终|首选|而是|改为|还是|不如|结论|答案)[^，。；,;\n]{0,6}$")
FINAL = re.compile(
    r"(?:最终|最后|结论|因此|所以|故而?|综上|总之|于是|therefore|\bso\b|thus|hence|final|conclusion|answer)"
)
BECAUSE = re.compile(r"因为|因(?=[\u4e00-\u9fff])|由于|理由|原因|毕竟|既然|\bbecause\b|\bsince\b|\breason|\bas\b")
CLAUSE = re.compile(r"[，。！？；：、,!?;:\n…（(）)/|]|\.(?=\s|$)|\s(?:或|or|and|vs)\s|或者?|——")
BREAK = re.compile(r"[，。！？；：,!?;:\n…（(）)]|\.(?=\s|$)|——")
NUMBER = re.compile(
    r"(?:选择|选项|选|编号|序号|答案|我选|第|no\.?|number|option|choice|answer|[:：\s#【\[(（*])*(\d{1,3})(?:\s*[号位项])?",
    re.I,
)
_NUMERALS = (
    "零〇 zero|一壹 one first|二两贰 two second|三叁 three third|四肆 four fourth|五伍 five fifth|六陆 six sixth|"
    "七柒 seven seventh|八捌 eight eighth|九玖 nine ninth|十拾 ten tenth"
)
NUMERALS = {
    word: value
    for value, words in enumerate(_NUMERALS.split("|"))
    for word in [*words.split(" ")[0], *words.split(" ")[1:]]
}
"""Numbers up to ten as words; more people seldom sit in one room."""
_NUMERAL = "|".join(NUMERALS)
NUMBER_WORD = re.compile(
    rf"(?:第(?P<a>[零〇一二两三四五六七八九十])(?:[位个名号项]|$)"
    rf"|(?:选择|选项|选|编号|序号|答案|候选人|人选|选的?是|choice|option|number|answer|no\.?)[:：是为\s]*(?P<b>{_NUMERAL})(?![\w\u4e00-\u9fff]|$)"
    rf"|(?:选择|选项|选|编号|序号|答案|候选人|人选|选的?是|choice|option|number|answer|no\.?)[:：是为\s]*(?P<c>{_NUMERAL})[号位个名项]?$"
    rf"|\bthe (?P<d>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\b"
    rf"|^(?P<e>{_NUMERAL})[号位个名项]?$"
    rf"|(?P<last>最后一[位个名])|\bthe (?P<last_en>last)(?: one)?\b)"
)
"""A number said in words, where it can be nothing but a choice. For answers that name nobody."""
LONGER_NAME = re.compile(r"[\u4e00-\u9fff]{2}(?![说吧呢啊来去讲谈答先上的了吗呀也在是老兄公哥君行好])[\u4e00-\u9fff]")
"""Two characters of a name and a third that no answer would put there: somebody else (李白石)."""
FULL_STOP = re.compile(r"[”」』》】*`\"'）)\s]*(?:[。\n]|\.(?=\s|$))")
SO = re.compile(r"^(?:所以|因此|那么?|故而?|于是|应该?|可以|就|应当|请|我?选择?|直接|便|则)+")
SEVERAL_NUMBERS = re.compile(r"\d\s*(?:or|and|或者?|和|与|跟|、|/|,|，)\s*\d")
OUTSIDER = re.compile(
    r"(?:应?由|轮到|请|让|选择?)([\u4e00-\u9fff·]{2,6}?)(?:先生|女士)?(?:来|先|继续)*(?:发言|回答|说话|接话|作答|说|讲)"
)
