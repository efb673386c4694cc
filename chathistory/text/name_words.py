"""Words that names are made of: surnames, titles, forms of address."""
# ruff: noqa: E501, SIM905

from __future__ import annotations

HONORIFICS = (
    "先生|老先生|老师|大人|将军|大将军|丞相|爵士|夫人|女士|小姐|姑娘|居士|陛下|殿下|皇上|圣上|娘娘|大王|大帝|皇帝|前辈|夫子|老夫子|"
    "圣人|老人家|老爷子|大哥|大侠|贤弟|仁兄|大师|博士|教授|阁下|同志|同学|道长|真人|道友|军师|都督|元帅|总统|主席|祖师|太守|学士|"
    "公|兄|君|翁|弟|师|老|姐|哥"
).split("|")
"""What may follow a name in address; the one-character ones count only before a pronoun or a break."""

COMPOUND_SURNAMES = frozenset(
    "司马 诸葛 欧阳 上官 夏侯 东方 皇甫 尉迟 公孙 慕容 令狐 宇文 长孙 司徒 司空 端木 独孤 南宫 澹台 轩辕 太史 申屠 万俟 闻人 钟离 拓跋".split()
)
SURNAMES = frozenset(
    "王李张刘陈杨赵黄周吴徐孙胡朱郭林罗郑梁谢宋唐许邓冯韩曹彭萧肖蔡潘董袁叶蒋杜苏魏程吕丁沈姚卢姜崔钟谭陆汪范廖贾韦傅邹熊孟秦邱尹薛"
    "阎段雷侯龙史陶贺毛郝顾龚邵武钱戴严孔荀庄墨岳文辛屈蔺廉霍卫嬴项鲁班纪康左纳耿柳欧章翁牛伍曾何田石任方高白江夏余金关殷翟狄祝房毕苗裴窦童穆闵骆柴葛甘褚桓阮嵇戚蒲甄聂晏鲍管荆"
)
_COMMON_WORDS = frozenset("何曾任方高白江石余金文武许叶段史毛钱严左章康班田夏程房毕祝童苗柴管关甘")
"""Surnames that are also common words: what stands before a name is then no sign of another person."""
OTHER_SURNAMES = SURNAMES - _COMMON_WORDS

TITLES = frozenset(
    "先生 丞相 夫子 皇叔 将军 大人 皇帝 始皇 夫人 太守 都督 爵士 公子 大帝 天皇 老师 居士 真人 学士 宰相 相国 大夫 御史 太师 皇后".split()
)
CALLED_ALONE = frozenset("夫子 皇叔 爵士".split())
"""Titles that name their one bearer in the room, when called out alone."""
NOT_OURS = frozenset("周公 王公 主公 太公 老公 外公 公公 文公 武公 石公 秦公 鲁公 庄公 韩公".split())
LATIN_TITLES = frozenset("sir lord lady king queen saint st dr emperor pope prince princess count mr mrs ms".split())
PARTICLES = frozenset("da de van von la le di del der du".split())
