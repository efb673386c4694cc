"""The turns of phrase by which a line of talk tells whom it is for. Patterns over folded text (lower-case, Simplified)."""
# ruff: noqa: E501

from __future__ import annotations

import re

BREAKS = " \t\r\n，。！？；：、,.!?;:…—~～·\u3000"
CLOSING_MARKS = "”’」』】》〉\"'])）*`\u2060"
_MARKS = ' \t\u3000“”‘「」『』【】《》〈〉"[]()（）*_`#@＠—-~～…\u2060'

CLAUSE_BREAK = re.compile(r"[，。！？；：、,!?;:…\n]|\.(?=\s|$)|——|—|--|\s-\s")
SENTENCE_BREAK = re.compile(r"[。！？!?；;\n]|\.(?=\s|$)|……")
ABBREVIATED = re.compile(r"\b(mr|mrs|ms|dr|st|prof)\.")
JOINT = re.compile(
    r"[\s“”‘’「」『』【】@＠\u2060]*(?:[、和与跟同及以及/&＆]|还有|以及|，还有|，以及|\sand\s|\sor\s|,\s?and\s)?[\s“”‘’「」『』【】@＠\u2060]*"
)


def strip_marks(text: str) -> str:
    """Return the text without blanks, quotes and brackets at its ends; an apostrophe stays."""
    return text.strip(_MARKS)


KIN = re.compile(
    r"^的?(?:弟子|学生|徒弟|门人|门生|老师|师父|父亲|母亲|爸爸|妈妈|儿子|女儿|妻子|丈夫|朋友|好友|同乡|同学|哥哥|弟弟|后人|后代|子孙|孙子|信徒|部下|手下|追随者|粉丝)|^之(?:子|女|弟|兄|妻|父|母|徒|孙|臣|将|友)(?!先生)"
)
"""Somebody else who is told by his bond to the one named."""


_SPEAK = r"(?:说|讲|谈|答|回答|回应|回|发言|开口|插嘴|插话|插|抢|评|参与|出声|吭声|作答|作声|接话|接|管|吵|争|闹|来|掺和|解释|发表|表态|言语|讨论|聊|吱声|教|点评)"
_SELF = r"(?:你|您|他|她|大人|先生|二位|两位|你们|们|俩|两个|先|就|请|可|都|也|暂时|这次|这回|这一次|且|暂且|这里|今天|现在|倒|咱|已经)*"

HUSH_BEFORE = re.compile(
    r"(?:(?:不用|不要|不必|不需要|不需|无需|无须|不想|不打算|不是在?|甭|别|勿|没有?|并非|并不是|先不|暂不|不再|不)"
    r"(?:再|想|是|先|总)?(?:去)?(?:请教?|让|问|叫|由|找|听|麻烦|劳烦|要|轮到|该|劳|对|跟|和|烦)(?:一?下)?"
    r"|(?:不用|不要|不必|不需要|无需|无须|并非|不是)|除了?|除开|除却|除去|撇开|抛开|排除|跳过|略过|与其(?:再)?(?:问|请|请教|让|听|由|找|叫)?)[“「\s\u2060]*$"
    r"|(?:\bnot|\bexcept(?: for)?|\bbut not|\bother than|\bdon'?t (?:ask|want|need)|\binstead of|\bwithout|\bbesides|\bapart from|\bnever mind|\bskip) $"
    r"|(?:\bnot|\bexcept(?: for)?|\bbut not|\bother than|\bdon'?t (?:ask|want|need)|\binstead of|\bwithout|\bbesides|\bapart from|\bnever mind|\bskip)$"
)
HUSH_AFTER = re.compile(
    rf"^{_SELF}(?:(?:别|不用|不要|不必|不需要|无需|不许|不准|不得|不能|勿|莫|休要|甭)(?:再|先|急着|忙着|抢着|着急|急于|来|也|总|老|一直|又|跟着)*"
    rf"(?:{_SPEAK}|了|吧|$)"
    r"|闭嘴|住口|住嘴|免了|歇|休息|算了|以外|之外|除外|靠边|打住|安静|回避|停一停|听着|坐着听|旁听|边上|一边)"
    r"|^(?:刚才?|方才|已经|刚刚)(?:都)?(?:说|讲|谈|答|回答|发言)过?了"
    r"|^ ?(?:please )?(?:be quiet|don'?t|you (?:may|can) (?:rest|relax|sit)|hold on|wait\b|shut up|stay out|aside|excluded|needn'?t|may rest|should not|shouldn'?t)"
)
HUSH_SOFT = re.compile(
    rf"^{_SELF}(?:(?:别|不用|不要|不必|甭)(?:着急|急|忙|慌|激动|动)|稍等|稍候|稍后|等等|等一下|等一等|等会儿?|候着|且慢|慢着|慢来|不急)"
)
"""Silences a name only when another one is given the floor; to a single person it is mere courtesy."""
HUSH_AROUND = re.compile(
    r"^(?:请|让)?\u2060(?:不|别)(?:参与|发言|说)|(?:不是|没)(?:在)?问[你您]$|(?:不听|不想听|不要听)\u2060的?"
)

THANKS_BEFORE = re.compile(
    r"(?:谢谢|多谢|感谢|谢过|拜谢|致谢|有劳|辛苦|谢|再见|拜拜|晚安|告别|辞别|thanks?,?|thank you,?|bye,?|goodbye,?)(?:了|您|你)?$"
)
LEAVE_AFTER = re.compile(r"^[，, ]?(?:您|你)?(?:再见|拜拜|晚安|慢走|一路走好|辛苦了|回头见|再会|bye|goodbye)")
LEAVE = re.compile(r"再见|拜拜|晚安|告辞|慢走|辛苦|再会|\bbye|goodbye")
YOU_AFTER = re.compile(
    r"^(?:您|你|二位|两位|各位|几位|三位|先生们|都|俩|两个|汝|尔|卿|君|足下|阁下|兄台)|^ ?(?:you\b|what|how|why|who|where|when|do you|did you|are you|were you|could you|can you|would you|will you|please|tell)"
)
PARTICLE = re.compile(r"(?:啊|呀|哪|哎|呢|吧|吗|啦|哦|喂|哟|哈|诶|兄|好|您好|你好)+")
REQUEST_AFTER = re.compile(
    r"^(?:([\u4e00-\u9fff])一?\1|留步|请|能|可|愿|来|给|帮|再|继续|接着|怎|如何|何|为|有|是|会|觉得|认为|以为|说|谈|讲|聊|到底|究竟|当年|当时|最|今|在|又|也|还|真|平生|一生|生平|晚年|年轻)"
)
OPINION_AFTER = re.compile(
    rf"^{_SELF}(?:会|还|又|再|来|要|得|能|能不能|能否|可否|可以|不妨|应该|是|对[^，。？]{{0,14}}|关于[^，。？]{{0,14}}|替|给|为|帮)*"
    r"(?:([\u4e00-\u9fff])一?\1|怎么?[看想说讲评办认答回]|怎样|如何|何以|有何|有什么(?:看法|想法|意见|高见|话)|觉得|认为|以为|说说|谈谈|讲讲|聊聊|评评|讲|说[一两几]|谈[一两几]|讲[一两几]|说(?:吧|呢|话|$)"
    r"|来说|来讲|来谈|来答|来回|回答|答|请|呢|先|继续|接着|补充|发言|各说|各自|同意|赞成|意下|以何|开口|表态|解释|点评|上|来)"
    r"|^ ?(?:what|how|why|do you|tell|please|could|can|would)\b"
    r"|^(?:的|之)(?:看法|意见|想法|高见|观点|答案|见解|回答|说法|态度)(?:呢|是|如何|怎|$)"
    r"|^(?:这边|那边|那里|那儿)呢"
)
FIRST_AFTER = re.compile(rf"^(?:您|你|请)?(?:先(?!生)(?:{_SPEAK}|来|请|开始)?|第一个)")
TOO_AFTER = re.compile(r"^(?:也|再|然后|接着|随后|补充|呢|可以补充)")
PLEASE = re.compile(r"(?:请|有请|再请|也请|还请|请问一?下?|请教一?下?|敢问)$")
ORDER = re.compile(
    r"(?:先|再|然后|接着|还是|也|换|而是|改|最后|也想|也要|还想|还要|我问的是|问的是)(?:请|让|由|问|听|轮到|是)?[^，。]{0,2}$"
)
INTERJECTION = re.compile(
    r"^(?:那么?|好了?的?|嗯|啊|哎|喂|嘿|诶|欸|唉|哦|噢|喔|哇|呵呵|哈哈|您好|你好|早上好|晚上好|下午好|大家好|我?(?:尊敬|敬爱|亲爱|可敬|伟大|可爱)的|吾友|老友|我的(?:朋友|好友|老师|学生|先生)|话说|对了|然后|所以|"
    r"不过|但是|可是|但|可|而|还有|接下来|下面|现在|最后|首先|再|另外|其次|至于|来|是吧|对吧|对吗|对不对|说的就是|是不是|不知道?|未知|想必|莫非|难道|敢问|试问|to|for|如今|今天|这回|这次|"
    r"hi|hello|hey|dear|ok|okay|so|well|and|but|now|then|mr|mrs|ms|miss|dr|professor|prof|lord|madame|madam|master|sir|oh|yes|no|please|"
    r"good (?:morning|evening|day)|greetings)(?:[ ，,.!！]+|(?![a-z])|$)"
    r"(?:(?:mr|mrs|ms|miss|dr|professor|prof|lord|madame|madam|master|sir|尊敬的|敬爱的|亲爱的)[ .]*)?"
)
CALL_AT_END = re.compile(
    r"(?:吧|呢|呗|吗|啊|啦|嘛|呀|哦|喽|哈|么|一下|一句|一个|说说|讲讲|谈谈|聊聊|看看|教教我|告诉我|请讲|请说|请回答|你说|您说|你看|您看|您呢|你呢|是您|是你|就是|"
    r"怎么看|怎么想|如何|如何看|说是不是|同意|\bplease|\byou|\bright|\btoday|[?？])$"
)
ENGLISH_ASK = re.compile(
    r"\b(?:ask|asking|hear from|listen to|question for|question to|over to|turn to|call on|invite|let|have|for|to you|"
    r"would|could|can|will|may|should|want|like|what about|how about) "
    r"?(?:mr|mrs|ms|dr|sir|lord|professor|madame)?\.? ?$"
)
ADMIRED = re.compile(r"(?:久闻|久仰|佩服|敬佩|钦佩|仰慕|崇拜|景仰|敬仰|喜欢|见到|遇到|欢迎)$")
"""A name after these is spoken of to its owner's face."""

_ASK_VERB = re.compile(
    r"(?:请教一?下?|请问一?下?|想问问?一?下?|问问|问一?下|问一问|问一句|敢问|借问|试问|有请|恭请|烦请|恳请|敬请|麻烦|劳烦|劳驾|请|要问|得问|该问|来问|再问|去问|先问|是问|还问|问|"
    r"换|轮到|点名|指名|采访一?下?|咨询一?下?|求教|请示|聆听|听听|听一听|听一?下|想听|要听|倾听|我找|想找|找|致|问的是|说的是|指的是|叫的是|想请|该|轮|由|让|叫|喊|使|派|推举|推|听|向|对|跟|和|与)$"
)
_STRONG_ASK = re.compile(
    r"(?:请教一?下?|请问一?下?|想问问?一?下?|问问|问一?下|问一问|问一句|敢问|借问|试问|有请|恭请|烦请|恳请|敬请|麻烦|劳烦|劳驾|请|要问|得问|该问|来问|再问|先问|还问|是问|换|轮到|点名|指名|采访一?下?|咨询一?下?|求教|请示|聆听|听听|听一听|听一?下|想听|要听|倾听|我找|想找|致|问的是|说的是|指的是|叫的是|想请)$"
)
_SPEECH_AFTER = re.compile(
    rf"^(?:先生)?(?:您|你|自己|亲自|先|再|也|给|为|替|跟|和|一起|各|各自|都|来|一个人|单独|接着|继续|去)*(?:{_SPEAK}|谈|说|讲|聊|开始|上|请教|讨教|提|请|问|学|求|打听|道|了|$)"
)


def ask_before(left: str, right: str) -> bool:
    """Return whether what stands before a name asks it to speak (请…, 想听听…的看法, 向…讨教)."""
    verb = _ASK_VERB.search(left)
    if not verb:
        return False
    before = left[: verb.start()]
    word = verb.group()
    if re.search(r"[您你](?:们)?(?!好)", before) and not re.search(r"(?:请|说)$", before):
        return False
    if "听" in word and re.match(r"^(?:说|讲)(?:[过您你了完]|的)", right):
        return False
    if _STRONG_ASK.search(word) or word == "问":
        of_others = re.search(r"(?:他|她|谁|人|弟子|曾经?|当年|后来|去|为何|为什么)$", before)
        return not (word in ("问", "请", "找") and of_others)
    if word in ("向", "对", "跟", "和", "与"):
        return bool(
            re.match(r"^(?:请教|讨教|求教|提问|提个问题|问|请问|发问|打听|学|说|讲|聊|谈|道)", right)
        ) and not re.search(r"(?:他|她|谁|人|曾经?|当年|后来|[您你])", before)
    return bool(_SPEECH_AFTER.match(right))


QUESTION = re.compile(
    r"[?？]|吗|呢|么$|什么|怎么|怎样|为何|为啥|为什么|如何|何(?:以|为|谓|在|时|处|人|故|不)|哪|谁|几[个时岁次年位]|多少|多[大久长高远]|是不是|有没有|能不能|可不可以|会不会|对不对|"
    r"是否|能否|可否|请(?!再见|留步|回|便|保重|慢走|多保重|自便|休息|早)|说说|谈谈|讲讲|聊聊|讲一?下|说一?下|谈一?下|来一首|介绍|解释|告诉|继续|接着(?:说|讲|聊)|展开|补充|赐教|指教|指点|想知道|想听|想问|评评|评价|说两句|说几句|回答|"
    r"\b(?:what|why|how|who|where|when|which|tell|explain|describe|continue|go on)\b"
)
_END_OF_CLAUSE = r"(?=[，。！？；：、,.!?;:…~～\s]|吧|了|啦|咯|喽|哦|啊|哈|$)"
FAREWELL = re.compile(
    r"(?:再见|再会|拜拜|晚安|回见|回头见|明天见|明儿见|下次见|改天见|后会有期|告辞|告退|失陪|退下|散会|散了|下线|撤了|溜了|闪了|走了|走啦)(?:了|吧|啦)?(?:各位|大家|诸位|先生们)?"
    + _END_OF_CLAUSE
    + r"|(?:就|先|便)?(?:聊|谈|说|讲|问|讨论|学)?到(?:这里|这儿|此|这)(?:为止|结束)?(?:吧|了|啦)?"
    + _END_OF_CLAUSE
    + r"|(?:下次|改天|改日|明天|回头|有空|以后|日后|他日)(?:再|继续|又)?(?:来|会)?(?:聊|谈|说|请教|拜访|向|见|讨教|叙)(?:各位|大家|诸位|您|你们)?"
    r"|(?:我|晚辈|学生|在下|小生)?(?:先|得|该|要|就)(?:先)?(?:走|下线|退|撤|睡|去睡|休息|去吃饭|去忙|回家|忙去)(?:了|啦|吧|一步)"
    r"|(?:对话|谈话|讨论|聊天|今天)(?:就)?(?:到此)?结束|不(?:聊|说|问|谈)了(?=[，。！!,~]|$)|聊完了|(?:(?<=[，。！!,])|^)(?:那就|就)?结束(?:吧|了)?(?=[。！!]|$)|没(?:有)?(?:什么|啥|别的)?(?:要|想|可)?问的?(?:题)?了|别过|下班了|\b(?:886|88|3166)\b|到此为止|请回(?:吧|了)|早[点些](?:休息|歇息|安歇|睡)|保重|不打扰|打扰了|不叨扰|不再打扰|没有?(?:别的|其他|其它|什么)?问题了|没有?要问的了|问完了|"
    r"\b(?:good ?bye|bye(?: bye)?|see you|see ya|good ?night|farewell|so long|that'?s all|that is all|take care|talk to you later|i have to go|gotta go)\b"
)
THANKS = re.compile(
    r"(?:承蒙|多蒙|蒙)(?:各位|诸位)?(?:赐教|指教|指点|不弃|厚爱)|(?:非常|十分|万分|衷心|真|太|很|不胜)?(?:谢谢|多谢|感谢|谢过|拜谢|谢了|感激|有劳|辛苦|受教|领教|承教|叨教|获益|受益|长见识|涨知识)(?:不尽|匪浅|良多|了|啦|您|你|您的|你的|大家|各位|诸位|几位|的|回答|解答|指教|赐教|指点|讲解|先生|们)*"
    r"|\b(?:thank you|thanks|many thanks)\b(?: (?:all|everyone|very much|so much|a lot|you))*"
)
ASSENT = re.compile(
    r"(?:(?:嗯|哦|噢|喔|好|好的|好吧|行|可以|明白|明白了|懂了|知道了|了解|了解了|原来如此|原来是这样|这样啊|是啊|对|不错|很好|说得好|讲得好|说得对|有道理|学到了|受教了|妙|妙哉|精彩|厉害|佩服|ok|okay|i see|got it|great|nice|well said)"
    r"[了啊呀吧呢，。！,.!~～… ]*)+"
)
POLITE_YOU = re.compile(r"[您你]好|[您你]们|谢谢[您你]|多谢[您你]|[您你](?:俩|二位|两位|几位)")
SINGULAR = re.compile(r"[您你]|阁下|足下|\byou\b")
PAIR = re.compile(r"[您你]们?(?:俩|两个|两位|二位|二人|两人)|二位|两位|\b(?:you two|both of you)\b")
_ROOM = (
    r"(?:大家伙?|各位|诸位|诸公|诸君|列位|众位|在座|在场|所有人|全体|每个人|每人|每位|人人|你们(?!俩|两|二)|您们|您几位|几位|[三四五六七八]位|诸贤|众人|众卿|群里的?人|咱们|"
    r"先生们|女士们|老师们|朋友们|同学们|前辈们|伙计们|兄弟们)"
)
EVERYONE = re.compile(
    rf"(?<![给跟向对为和替让被])(?<!告诉)(?<!代表){_ROOM}(?!都?(?:说[您你他她是]|都说|都知道|常说|公认|熟知|传说|说过|认识|喜欢[您你])|[之的](?:中|间))"
    r"|都(?:来)?(?:说说|谈谈|讲讲|聊聊|说一?句|谈一?谈|讲一?讲|发表|表个态|评评)|一人一句|一人说|轮流|挨个|依次|逐一|人手一句"
    r"|\b(?:everyone|everybody|all of you|you all|you guys|folks|gentlemen|ladies|each of you|y'all|anyone and everyone)\b"
)
EVERYONE_TOO = re.compile(
    rf"(?:{_ROOM}|其他人|其他各位|别人|其余)(?:人|的?人)?[，,]?(?:也|再|随后|然后|接着|来|都|补充|怎么|如何|有何|说说|谈谈|觉得|认为|请|呢|可以|一起)|除了?|尤其|特别是"
)
ANYONE = re.compile(
    r"谁(?:来|能|愿|想|可以|知道|先|懂|还|给|有|会|说)|有(?:没有)?(?:人|谁|哪位)|哪(?:一)?位|哪个|\b(?:anyone|anybody|someone|somebody|who)\b"
)
ROOM_ASKED = re.compile(r"有谁|哪位|有没有人|有人[能愿想知]|谁来|谁愿|\b(?:anyone|anybody)\b")
"""Words by which a persona asks the room in earnest; a bare 谁 is mostly rhetoric."""
NOT_OTHERS = re.compile(r"(?:其他|其它|其余|别)[^，。]{0,3}(?:先|都)?(?:别|不用|不要|不必)(?:说|讲|插|回答|答|发言|急)")
OTHERS = re.compile(
    r"(?:其他|其它|另)(?:两|二|三|几)[位个](?!先?(?:别|不))|其他(?:人|各位|几位|诸位|先生|人们)|其它人|其余(?:人|各位|几位|的)?|别人|旁人|别的人|别的先生|另外(?:几|两|三|一)?[位个]|剩下(?:的|几)|还有(?:谁|人|哪位)|换(?:个|一?位|一个|别)人?|下一位|"
    r"\b(?:others|anyone else|someone else|the rest|next speaker|everyone else|somebody else)\b"
)
GOES_ON = re.compile(
    r"(?:那|那么|嗯|哦|好|可是|但是|不过|然后|请)?[，,]?(?:(?:您|你)?(?:能|可以|能不能|可否|能否)?(?:再|继续|接着|展开|详细|具体|细|多)(?:给我|为我)?(?:说|讲|谈|聊|展开|详细|具体|解释|举|来|细)"
    r"|为什么(?:呢|啊|这么说|这样说)?[？?]?$|为何[？?]?$|何以见得|怎么(?:说|讲|会|理解)[呢？?]|具体|详细|怎么做|还有呢|然后呢|后来呢|接着呢|结果呢|比如(?:说|呢)?|(?:您|你)?(?:能|可以|能不能|能否|可否)?(?:给我|再)?举(?:个|一个|几个)?例|什么意思|你这话|您这话|此话怎讲|(?:我)?(?:没|没有|不太?|听不|看不)(?:听)?(?:懂|明白)|再(?:说|讲)一遍|真的吗|真的假的|是吗[？?]?$|继续|接着(?:说|讲)|"
    r"go on|why\??$|continue|tell me more|really|for example|and then)"
)
